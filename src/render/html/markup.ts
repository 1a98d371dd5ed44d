/** Text that is HTML already. `html` escapes all other text. */
export interface Markup {
  readonly html: string;
}

type Part = Markup | string | number | undefined | readonly Part[];

/** Makes HTML from a template. Escapes each value that is not Markup, because lists may contain HTML (K5). */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return { html: strings.map((text, index) => text + markupOf(values[index])).join('') };
}

function markupOf(value: Part): string {
  if (value === undefined) {
    return '';
  }
  if (typeof value !== 'object') {
    return escapeHtml(withoutAddresses(String(value)));
  }
  return 'html' in value ? value.html : value.map(markupOf).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Matches control characters and characters that reverse the reading direction, because they can hide what a text says.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeHtml(text: string): string {
  return text.replace(UNSAFE, '\ufffd').replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found);
}

// Matches each email address in a text.
const ADDRESS = /(?<![^\s@<>"'(),;:|=])[^\s@<>"'(),;:|=]+@[^\s@<>"'(),;:|=]+/g;

/** Replaces each email address, because users share reports and a message of svc may contain an address. */
function withoutAddresses(text: string): string {
  return text.includes('@') ? text.replace(ADDRESS, '(address)') : text;
}
