/** Text that is HTML already. All other text is escaped where it is put into a page. */
export interface Markup {
  readonly html: string;
}

type Part = Markup | string | number | undefined | readonly Part[];

/** Makes HTML from a template. Names and values come from foreign lists, so every value is escaped (rule K5). */
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

// Control characters, and characters that change the reading direction.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeHtml(text: string): string {
  return text.replace(UNSAFE, '\ufffd').replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found);
}

// Every email address in a text.
const ADDRESS = /[^\s@<>"'(),;:|=]+@[^\s@<>"'(),;:|=]+/g;

/** A report is passed on to other people, so it shows no addresses. Messages of the program may quote one. */
function withoutAddresses(text: string): string {
  return text.includes('@') ? text.replace(ADDRESS, '(address)') : text;
}
