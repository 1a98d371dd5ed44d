/** A URL in a form that can be compared: host in lower case, no default port, a path, no fragment. */
function normalUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url) {
    return text;
  }
  url.hash = '';
  return url.href;
}

/** True if both texts are the same URL. The service may store another form of a URL than svc sent. */
export function isSameUrl(first: string, second: string): boolean {
  return normalUrl(first) === normalUrl(second);
}

/**
 * True if two texts are equal, except for blanks at their ends and for the Unicode form. Null and undefined count as
 * empty.
 */
export function isSameText(first: string | null | undefined, second: string | null | undefined): boolean {
  return normalText(first) === normalText(second);
}

function normalText(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').trim();
}
