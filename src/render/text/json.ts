const NEVER_PRINTED = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** One JSON document and a newline. What a terminal might obey stands as \uXXXX, so the value is the same and harmless (rule K5). */
export function jsonText(value: unknown, indent?: number): string {
  return `${JSON.stringify(value, null, indent).replace(NEVER_PRINTED, harmless)}\n`;
}

/** An item of an indented JSON array, without what stands before and after it. */
export function jsonItem(value: unknown): string {
  return `  ${jsonText(value, 2).trimEnd().replaceAll('\n', '\n  ')}`;
}

function harmless(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
