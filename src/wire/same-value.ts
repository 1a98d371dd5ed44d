/** The URL in one form for comparing: host in lower case, no default port, a path, no fragment. */
function normalUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url) {
    return text;
  }
  url.hash = '';
  return url.href;
}

/** True if both texts are the same URL. The service may store a URL in another form than svc sent. */
export function isSameUrl(first: string, second: string): boolean {
  return normalUrl(first) === normalUrl(second);
}

/**
 * True if both texts differ at most in blanks at their ends and in the Unicode form. Null and missing count as empty.
 */
export function isSameText(first: string | null | undefined, second: string | null | undefined): boolean {
  return normalText(first) === normalText(second);
}

function normalText(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').trim();
}
