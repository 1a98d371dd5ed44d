import {
  appendFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

/** Changes that other programs make to a list during an import. Each gets the path and the new bytes. */
export const EDITS: Readonly<Record<string, (path: string, content: string) => void>> = {
  rewritten: (path, content) => writeFileSync(path, content),
  truncated: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'appended to': (path, content) => appendFileSync(path, content.slice(content.indexOf('\n') + 1)),
  'replaced by rename': (path, content) => {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  },
  deleted: (path) => unlinkSync(path),
  'a link to another file': (path, content) => {
    writeFileSync(`${path}.other`, content);
    if (existsSync(path) || lstatSync(path, { throwIfNoEntry: false })) {
      unlinkSync(path);
    }
    symlinkSync(`${path}.other`, path);
  },
};
