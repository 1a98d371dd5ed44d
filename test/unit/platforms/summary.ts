import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingOptions } from '../../../src/import/mapping/reading-answers.ts';
import { readList } from '../import/support.ts';

/** A sample of one platform after reading, in words that are easy to compare. */
export interface Summary {
  readonly platforms: readonly string[];
  /** The contacts to send, each as `ada`, or as `ben unsubscribed 2024-…` if the person opted out. */
  readonly contacts: readonly string[];
  readonly suppressions: Readonly<Record<string, readonly string[]>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly rejected: number;
  readonly keys: readonly string[];
  readonly stops: readonly string[];
}

/** Reads a file or folder of samples/ as one list. */
export async function summarize(name: string, answers: Partial<ReadingOptions> = {}): Promise<Summary> {
  const files = filesOf(join('samples', name)).map(
    (path) => [path.split('/').at(-1) as string, readFileSync(path)] as const,
  );
  const list = await readList(Object.fromEntries(files), answers);
  const { rows, inputs, usedKeys } = list.reading;
  return {
    platforms: [...new Set(inputs.map(({ platform }) => platform))],
    contacts: list.contacts.map(({ email, status, unsubscribed_at }) =>
      [short(email), status, unsubscribed_at].filter(Boolean).join(' '),
    ),
    suppressions: Object.fromEntries(
      Object.entries(list.suppressions).map(([reason, emails]) => [reason, emails.map(short)]),
    ),
    skipped: rows.skipped,
    rejected: rows.rejected,
    keys: usedKeys,
    stops: list.trouble.filter((line) => line.startsWith('stop')),
  };
}

function short(email: string): string {
  return email.replace(/@example\.com$/, '');
}

function filesOf(path: string): string[] {
  return statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];
}
