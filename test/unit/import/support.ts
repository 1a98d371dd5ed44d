import { DatabaseSync } from 'node:sqlite';
import type { Finding } from '../../../src/base/finding.ts';
import { createListThread } from '../../../src/import/batch/list-thread.ts';
import { rereadContacts } from '../../../src/import/batch/reread-list.ts';
import type { TypedAnswers } from '../../../src/import/mapping/answers/outranked-answers.ts';
import type { ReadingOptions } from '../../../src/import/mapping/reading-answers.ts';
import type { TableSource } from '../../../src/import/source/source.ts';
import { surveySources } from '../../../src/import/survey/survey.ts';
import type { RereadableSurvey } from '../../../src/import/survey/survey-types.ts';
import { openPeopleTables, type People } from '../../../src/runs/people/people.ts';
import { SUPPRESSION_REASONS } from '../../../src/wire/service-words.ts';
import type { BatchContact } from '../../../src/wire/shapes.ts';

/** Options without any answer. */
export const NO_ANSWERS: ReadingOptions = {
  from: 'auto',
  map: [],
  statusMap: {},
  defaultStatus: {},
  attributes: 'all',
  topicValues: {},
  timezone: undefined,
  dateOrder: undefined,
  encoding: undefined,
  delimiter: undefined,
  quote: undefined,
  escape: undefined,
  empty: 'keep',
  duplicates: 'merge',
  allowJoinedFiles: false,
  allowHeadings: undefined,
  allowLegends: undefined,
  allowBlanks: undefined,
  reason: undefined,
  savedColumns: undefined,
  savedForAllWords: undefined,
};

/** Sources in memory, as file name and content. A name with a slash is an entry of the archive before it. */
export function sourcesOf(files: Readonly<Record<string, string | Buffer>>): TableSource[] {
  return Object.entries(files).map(([name, content], index) => {
    const bytes = Buffer.from(content);
    const cut = name.indexOf('/');
    const entry = cut < 0 ? undefined : name.slice(cut + 1);
    return {
      index,
      path: cut < 0 ? name : name.slice(0, cut),
      entry,
      name: (entry ?? name).split('/').at(-1) as string,
      size: bytes.length,
      async *bytes() {
        for (let at = 0; at < bytes.length; at += 64 * 1024) {
          yield bytes.subarray(at, at + 64 * 1024);
        }
      },
    };
  });
}

/** A list that svc has read, with everything that it would send. */
export interface ReadList {
  readonly reading: RereadableSurvey;
  /** The stored people. Ask for them before you read the next list, or its people take their place. */
  readonly people: People;
  readonly contacts: readonly BatchContact[];
  readonly suppressions: Readonly<Record<string, readonly string[]>>;
  /** Findings other than `pass`, as `level check`. */
  readonly trouble: readonly string[];
  finding(check: string): Finding | undefined;
}

/** Surveys a list in memory, and reads the people that svc would send. svc checks whether `typed` answers count. */
export async function readList(
  files: Readonly<Record<string, string | Buffer>>,
  answers: Partial<ReadingOptions> = {},
  seed = '0123456789abcdef',
  typed?: TypedAnswers,
): Promise<ReadList> {
  return readSources(sourcesOf(files), answers, seed, typed);
}

// Making a database takes as long as reading a short list, so a list takes the database of an earlier one. Lists that
// are read at the same time have different ones.
const UNUSED: People[] = [];

/** A database in memory without people, and a function that leaves it to the next list, until its people are taken. */
function emptyPeople() {
  const people = UNUSED.pop() ?? openPeopleTables(new DatabaseSync(':memory:'));
  people.clear();
  let isTaken = false;
  return {
    people,
    leave: () => UNUSED.push(people),
    take: () => {
      const at = UNUSED.indexOf(people);
      if (!isTaken && at < 0) {
        throw new Error('another list has taken the database of this one');
      }
      isTaken = true;
      UNUSED.splice(at, at < 0 ? 0 : 1);
      return people;
    },
  };
}

/** Like `readList`, for sources. */
export async function readSources(
  sources: readonly TableSource[],
  answers: Partial<ReadingOptions> = {},
  seed = '0123456789abcdef',
  typed?: TypedAnswers,
): Promise<ReadList> {
  const { people, leave, take } = emptyPeople();
  const { signal } = new AbortController();
  const reading = await surveySources(
    sources,
    { ...NO_ANSWERS, ...answers },
    { people, emit: () => {}, signal, seed, listThread: createListThread(signal) },
    typed,
  );
  const items = await Array.fromAsync(rereadContacts({ survey: reading, people }, { signal }));
  const suppressions = SUPPRESSION_REASONS.map(
    (reason) => [reason, [...people.suppressions(reason).map(({ email }) => email)]] as const,
  );
  leave();
  return {
    reading,
    get people() {
      return take();
    },
    contacts: items.map((item) => item.contact),
    suppressions: Object.fromEntries(suppressions.filter(([, emails]) => emails.length > 0)),
    trouble: reading.findings.filter(({ level }) => level !== 'pass').map(({ level, check }) => `${level} ${check}`),
    finding: (check) => reading.findings.find((finding) => finding.check === check && finding.level !== 'pass'),
  };
}

/** A table as text: a header line and rows, with commas. */
export function csv(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
