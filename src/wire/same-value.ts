/** The URL in the form that services store: host in lower case, no default port, a path, no fragment. */
function normalUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url) {
    return text;
  }
  url.hash = '';
  return url.href;
}

/** True if both texts are the same URL. The service may store a URL in another form than svc sent. */
export function isSameUrl(one: string, other: string): boolean {
  return normalUrl(one) === normalUrl(other);
}

/**
 * True if both texts differ at most in blanks at their ends and in the Unicode form. Null and missing count as empty.
 */
export function isSameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return normalText(one) === normalText(other);
}

function normalText(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').trim();
}
