import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passWindow } from './at-limit.ts';
import { writeEarlierRuns } from './earlier-runs.ts';
import { type Measurement, ratio, run, single } from './measure.ts';
import { writePeople } from './numbered-people.ts';
import { check, migration, naiveScript, onNode, survey, svc, withAudience, withSink } from './programs.ts';
import { packedMegabytes } from './size.ts';

/** The lists of the bench, and how often each pair runs. */
export interface Lists {
  readonly large: string;
  readonly small: string;
  /** How many more rows the large list has. */
  readonly moreRows: number;
  readonly rounds: number;
}

/** The reading of a list in which people come twice. */
export function duplicateFigures({ large, rounds }: Pick<Lists, 'large' | 'rounds'>): readonly Measurement[] {
  return [
    {
      name: 'duplicates',
      meaning: 'time of migrate --dry-run against a bare csv-parse read of the same file, 10 % of the rows duplicates',
      bar: 2,
      measure: () => surveyRatio(large, rounds),
    },
  ];
}

/** Reading and sending, compared with a plain script, and the most memory of a migration. */
export function listFigures({ large, rounds }: Lists): readonly Measurement[] {
  return [
    {
      name: 'survey',
      meaning: 'time of migrate --dry-run against a bare csv-parse read of the same file',
      bar: 0.45,
      measure: () => surveyRatio(large, rounds),
    },
    {
      name: 'whole run',
      meaning: 'time of a migration to a service of 5 ms latency without a limit against the script a user would write',
      bar: 0.5,
      measure: () =>
        ratio(
          rounds,
          () => inFolder((state) => withSink((url) => run(migration(state, large, url)))),
          () => withSink((url) => run(naiveScript(large, url))),
        ),
    },
    {
      name: 'peak memory',
      meaning: 'MiB that a migration of the list takes at most',
      bar: 260,
      measure: () =>
        inFolder((state) => withSink(async (url) => single((await run(migration(state, large, url))).peakMiB))),
    },
  ];
}

function surveyRatio(list: string, rounds: number) {
  return inFolder((state) =>
    ratio(
      rounds,
      () => run(survey(state, list)),
      () => run(onNode('test/bench/processes/bare-parse.ts', list)),
    ),
  );
}

/** The duration of a short command, compared with an empty Node program. */
export function startFigures(rounds: number): readonly Measurement[] {
  const against = (...args: readonly string[]) =>
    inFolder((state) =>
      ratio(
        rounds,
        () => run(svc(state, ...args)),
        () => run(onNode('-e', '0')),
      ),
    );
  return [
    {
      name: 'start --version',
      meaning: 'svc --version against node -e 0',
      bar: 1.6,
      measure: () => against('--version'),
    },
    { name: 'start --help', meaning: 'svc --help against node -e 0', bar: 2.5, measure: () => against('--help') },
    {
      name: 'start webhooks ls',
      meaning: 'svc webhooks ls, with one request to a service of 5 ms latency on loopback, against node -e 0',
      bar: 4,
      measure: () => withSink((url) => against('webhooks', 'ls', '--base-url', url)),
    },
  ];
}

/** The cost of the runs that svc keeps: a nightly import after a year has hundreds of them. */
export function historyFigures(rounds: number): readonly Measurement[] {
  const nightly = (earlierRuns: number, url: string) =>
    inFolder(async (state) => {
      const list = join(state, 'list.csv');
      await writePeople(list, 10);
      writeEarlierRuns(state, url, earlierRuns);
      return run(migration(state, list, url));
    });
  return [
    {
      name: 'history',
      meaning: 'time of a migration of ten rows beside 300 earlier runs, against the same without earlier runs',
      bar: 4,
      measure: () =>
        ratio(
          rounds,
          () => withSink((url) => nightly(300, url)),
          () => withSink((url) => nightly(0, url)),
        ),
    },
  ];
}

/** The extra memory of a survey for a long list over a short one, in MiB. The bar is 64 MiB and 16 bytes a row. */
export function memoryFigures({ large, small, moreRows }: Lists): readonly Measurement[] {
  return [
    {
      name: 'memory',
      meaning: `MiB that a survey takes for ${moreRows} rows more, 1 % of them duplicates`,
      bar: 64 + (16 * moreRows) / 1_048_576,
      measure: () =>
        inFolder(async (state) => {
          const few = await run(survey(state, small));
          return single((await run(survey(state, large))).peakMiB - few.peakMiB);
        }),
    },
  ];
}

/** The cost of a whole check with equally many people and contacts. The bar is the same for any number. */
export function checkFigures(people: number): readonly Measurement[] {
  return [
    {
      name: 'check memory',
      meaning: `MiB that a check of ${people} people against as many contacts takes`,
      bar: 300,
      measure: () =>
        inFolder(async (state) => {
          const list = join(state, 'list.csv');
          await writePeople(list, people);
          return withAudience(people, async (url) => single((await run(check(state, list, url))).peakMiB));
        }),
    },
  ];
}

/** How well the window of the service is used, on a simulated clock. The result is the same on any machine. */
export function limitFigures(): readonly Measurement[] {
  return [
    limitFigure('at the limit', '3,000 batches through 600 a minute, against the shortest time the reserve leaves', 0),
    limitFigure('at the limit, shared', 'the same beside a client that takes 40 % of the window', 240),
    {
      name: 'below the limit',
      meaning: 'times that 440 batches had to wait',
      bar: 0,
      measure: async () => single((await passWindow(440, 0)).waits),
    },
  ];
}

/** The size of an installed package. The bar is the size on the day of the decision, and a little room. */
export function sizeFigures(): readonly Measurement[] {
  return [
    {
      name: 'size',
      meaning: 'MB on disk of the installed package',
      bar: 4,
      measure: async () => single(packedMegabytes()),
    },
  ];
}

function limitFigure(name: string, meaning: string, others: number): Measurement {
  const measure = async () => {
    const { ms, idealMs, refused } = await passWindow(3_000, others);
    if (refused > 0) {
      throw new Error(`${name}: ${refused} requests were answered with 429`);
    }
    return single(ms / idealMs);
  };
  return { name, meaning, bar: 1 / 0.99, measure };
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
