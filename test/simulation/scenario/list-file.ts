import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { sha256Hex } from '../../../src/base/lib/hash.ts';
import type { Random } from '../random.ts';

/** The bytes of a list at one moment. */
export interface Version {
  readonly sha256: string;
  readonly bytes: Buffer;
  /** The bytes as text. A character that a cut has halved is missing. */
  readonly csv: string;
}

/** The list of a user on disk. Other programs rewrite, truncate, extend, replace and delete it during an import. */
export interface ListFile {
  /** The original version. */
  readonly first: Version;
  /** Every version so far, the present one last. Undefined: there was no file. */
  readonly history: readonly (Version | undefined)[];
  /** Makes one random change. */
  edit(random: Random): void;
  /** Restores the original version. */
  putBack(): void;
}

/** Writes the list to the path. */
export function createListFile(path: string, bytes: Buffer): ListFile {
  const first = versionOf(bytes);
  const history: (Version | undefined)[] = [];
  const note = () => {
    history.push(existsSync(path) ? versionOf(readFileSync(path)) : undefined);
  };
  const putBack = () => {
    writeFileSync(path, bytes);
    note();
  };
  putBack();
  return {
    first,
    history,
    putBack,
    edit: (random) => {
      random.pick(EDITS)(path, { random, csv: history.at(-1)?.csv ?? first.csv, number: history.length });
      note();
    },
  };
}

/** The lines of each address in a version, by address in canonical form. */
export function linesByEmail({ csv }: Version): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of csv.split('\n').slice(1)) {
    const email = line.split(',')[0]?.toLowerCase() ?? '';
    lines.set(email, `${lines.get(email) ?? ''}${line}\n`);
  }
  return lines;
}

/** True if a line of the list names this person in another state than subscribed. */
export function namesOtherState(csv: string, email: string): boolean {
  return csv.split('\n').some((line) => line.toLowerCase().startsWith(`${email},`) && !line.includes(',subscribed,'));
}

function versionOf(bytes: Buffer): Version {
  return { sha256: sha256Hex(bytes), bytes, csv: bytes.toString() };
}

interface EditContext {
  readonly random: Random;
  readonly csv: string;
  /** Number of the edit, so that no person is added by two edits. */
  readonly number: number;
}

const EDITS: readonly ((path: string, edit: EditContext) => void)[] = [
  (path, edit) => writeFileSync(path, rewritten(edit)),
  (path, edit) => {
    writeFileSync(`${path}.new`, rewritten(edit));
    renameSync(`${path}.new`, path);
  },
  (path, edit) => {
    writeFileSync(path, edit.csv);
    appendFileSync(path, `${[...newRows(edit), ...optOuts(edit)].join('\n')}\n`);
  },
  (path, edit) => {
    writeFileSync(path, edit.csv);
    truncateSync(path, edit.random.int(0, edit.csv.length));
  },
  (path) => rmSync(path, { force: true }),
];

/** The list as saved again: some people are missing, some opted out, some are new. */
function rewritten(edit: EditContext): string {
  const { csv, random } = edit;
  const [header = '', ...rows] = csv.trimEnd().split('\n');
  const kept = rows
    .filter(() => random.chance(0.8))
    .map((row) => (random.chance(0.3) ? row.replace(',subscribed,', `,${random.pick(LEFT)},`) : row));
  return `${[header, ...kept, ...newRows(edit)].join('\n')}\n`;
}

const LEFT = ['unsubscribed', 'complained', 'bounced'];

function newRows({ random, number }: EditContext): string[] {
  return Array.from({ length: random.int(1, 6) }, (_, index) => {
    const state = random.pick(['subscribed', 'subscribed', ...LEFT]);
    return `edit${number}x${index}@example.com,New,,${state},,Acme,`;
  });
}

/** Rows with opt-outs of people in the list. */
function optOuts({ csv, random }: EditContext): string[] {
  const emails = csv.match(/^p\d+@example\.com/gm) ?? [];
  return emails.filter(() => random.chance(0.2)).map((email) => `${email},,,${random.pick(LEFT)},,,`);
}
