import { basename } from 'node:path';
import type { Finding } from '../../base/finding.ts';
import { joinAtMost } from '../../base/lib/text.ts';
import { saysOnlyOptOut, stateByName } from '../mapping/state/default-status.ts';
import { namesFormerPeople } from '../mapping/state/opt-out-file-names.ts';
import { isHidden, isPage, kindOfEntry } from '../source/archive-entries.ts';
import { emptyFileError } from '../source/input-errors.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { HINT_TO_UNPACK, isAboutMail } from './left-out-entries.ts';

// Archive entries that svc does not read, and the findings about them.

/**
 * Names archive entries that svc can't read although they may be lists. The finding is a stop if the name of an entry
 * says that people opted out. It is also a stop for an entry that may contain several lists, because its name does not
 * say what they are (C4). But a workbook beside a table of the same name is no stop.
 */
export function unreadFindings(sources: readonly TableSource[]): readonly Finding[] {
  const archives = Map.groupBy(sources, ({ path }) => path);
  return [...archives].flatMap(([path, tables]) => {
    const names = tables[0]?.unread ?? [];
    const optOuts = names.filter((name) => mentionsOptOut(name) && isListOrNamedOnlySo(name));
    const savedAsTable = new Set(tables.map(({ entry = '' }) => withoutEnd(entry)));
    const isPacked = (name: string) => isArchive(name) || (isWorkbook(name) && !savedAsTable.has(withoutEnd(name)));
    const packed = names.filter((name) => kindOfEntry(name) === 'unread' && !optOuts.includes(name) && isPacked(name));
    const mayBeLists = names.filter((name) => kindOfEntry(name) === 'unread' || mentionsOptOut(name));
    const others = mayBeLists.filter((name) => !optOuts.includes(name) && !packed.includes(name));
    const optOutText = `${path}: not read, although the names say that people opted out: ${entryNames(optOuts)}`;
    const packedText = `${path}: not read, although lists of people who opted out may be in it: ${entryNames(packed)}`;
    const why = others.some(isHidden) ? 'hidden or not CSV' : 'not CSV';
    const otherText = `${path}: not read, because it is ${why}: ${entryNames(others)}`;
    return [
      ...(optOuts.length > 0 ? [unreadFinding('stop', optOutText)] : []),
      ...(packed.length > 0 ? [unreadFinding('stop', packedText, HINT_FOR_PACKED)] : []),
      ...(others.length > 0 ? [unreadFinding('warn', otherText)] : []),
    ];
  });
}

/**
 * Names the empty lists of archives. Throws SvcError `empty_file` if the name of one says that its people left: without
 * them, the other lists may sign these people up (C4).
 */
export function emptyEntryFindings(sources: readonly TableSource[]): readonly Finding[] {
  const archives = Map.groupBy(sources, ({ path }) => path);
  return [...archives].flatMap(([path, tables]): Finding[] => {
    const empty = tables[0]?.empty ?? [];
    const names = empty.filter((entry) => !isAboutMail(entry));
    const optOut = empty.find((entry) => mentionsOptOut(entry) || namesFormerPeople({ entry, name: basename(entry) }));
    if (optOut !== undefined) {
      throw emptyFileError(sourceLabel({ path, entry: optOut }));
    }
    const message = `${path}: empty lists, which hold no person: ${entryNames(names)}`;
    return names.length > 0
      ? [{ check: 'columns', level: 'warn', message, hint: 'If they are not meant to be empty, export them again' }]
      : [];
  });
}

const HINT_FOR_PACKED =
  'Unpack the archive and each archive in it, save each sheet of a workbook as CSV, and give all these lists in place of the archive';

function unreadFinding(level: Finding['level'], message: string, hint = HINT_TO_UNPACK): Finding {
  return { check: 'columns', level, message, hint };
}

// True for an archive in the archive, also as a part or encrypted: `lists.tar.gz`, `old.zip.001`, `a.zip.gpg`.
function isArchive(entry: string): boolean {
  return /\.(?:zipx?|z\d\d|7z|rar|r\d\d|tar|tgz|tbz2?|txz|tzst|cab|arj|lzh|lha|ace|sitx?|iso|dmg)(?![a-z\d])/i.test(
    basename(entry),
  );
}

// True for a workbook, which may contain several sheets. False for the small file that marks a workbook as open.
function isWorkbook(entry: string): boolean {
  const name = basename(entry);
  return /\.(?:xl(?:s[xmb]?|t[xm]?)|f?ods|ots|numbers)(?![a-z\d])/i.test(name) && !/^(?:~\$|\.~lock\.)/.test(name);
}

// The path of an entry without the end of its name: `lists/people` for `lists/People.xlsx`.
function withoutEnd(entry: string): string {
  return entry.replace(/\.\w+$/, '').toLowerCase();
}

const MAX_ENTRY_NAMES = 20;

function entryNames(names: readonly string[]): string {
  return joinAtMost(names, MAX_ENTRY_NAMES);
}

// True if the name of an unread entry, or of its folder, has words about people who opted out.
function mentionsOptOut(entry: string): boolean {
  return !isPage(entry) && stateByName({ path: '', entry, name: basename(entry) }) !== undefined;
}

// True for an entry that may be a list. The name of a document must say only that people opted out:
// `unsubscribed.html`, and not `why people unsubscribe.pdf`.
function isListOrNamedOnlySo(entry: string): boolean {
  return kindOfEntry(entry) === 'unread' || saysOnlyOptOut(basename(entry).replace(/\.\w+$/, ''));
}
