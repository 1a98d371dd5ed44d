/**
 * What an archive entry is, by its name alone. `table`: svc reads it. `document`: a page or a text, hardly ever a list.
 * `ignored`: a folder, a picture, a file of a file manager or of a program. `unread`: svc does not read it, although it
 * may be a list.
 */
type EntryKind = 'table' | 'document' | 'ignored' | 'unread';

/**
 * The kind of an archive entry, by its name. A name that is not known to be harmless is `unread`, because the entry may
 * be an opt-out list (C4).
 */
export function kindOfEntry(name: string): EntryKind {
  if (OF_FILE_MANAGERS.test(name) || MEDIA.test(name)) {
    return 'ignored';
  }
  if (!isHidden(name) && /\.(?:csv|tsv|txt)$/i.test(name)) {
    return 'table';
  }
  return DOCUMENT.test(name) ? 'document' : 'unread';
}

/** True for an entry whose name, or a folder above it, begins with a dot: `.unsubscribed.csv`. */
export function isHidden(name: string): boolean {
  return /(?:^|\/)\./.test(name);
}

/**
 * True for a page of a site or a mail: `posts/4.unsubscribed.html`. A word in its name belongs to the title of a text,
 * so it says nothing about people.
 */
export function isPage(name: string): boolean {
  return DOCUMENT.test(name) && /(?:^|\/)(?:posts|broadcasts|templates|campaigns|pages)\//i.test(name);
}

const OF_FILE_MANAGERS =
  /\/$|(?:^|\/)(?:__MACOSX|\.git|\.svn|\.Spotlight-V100|\.Trashes|\.fseventsd|\.TemporaryItems)\/|(?:^|\/)(?:\._[^/]*|\.DS_Store|\.localized|\.git(?:ignore|keep|attributes)|\.htaccess|\.editorconfig|Thumbs\.db|ehthumbs\.db|desktop\.ini|Icon\r)$/i;
const MEDIA =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|heic|eps|psd|ai|mp[34]|m4[av]|mov|avi|webm|wav|ogg|css|scss|less|m?js|ts|map|woff2?|ttf|otf|eot|asc|sig|md5|sha1|sha256)$/i;
const DOCUMENT =
  /\.(?:x?html?|mjml|md|markdown|rst|rtf|pdf|docx?|odt|pages|pptx?|odp|key|url|webloc|lnk)$|(?:^|\/)(?:readme|licen[cs]e|copying|changelog|authors|notice)$/i;
