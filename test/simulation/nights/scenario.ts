import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import type { OnlyChangedOptions } from '../../../src/run-lifecycle/data/run-options.ts';
import { createRandom, type Random } from '../random.ts';
import { createFaults } from '../scenario/faults.ts';

/** A person in the list of one night. */
export interface Row {
  readonly email: string;
  readonly name: string;
  readonly company: string;
  readonly status: 'subscribed' | 'unsubscribed' | 'pending';
  /** How the address is written. `quoted`: the row is rejected, but its address is known. */
  readonly spelling: 'plain' | 'upper' | 'quoted';
}

/** One list, and the events of its night. */
export interface Night {
  readonly machine: number;
  readonly rows: readonly Row[];
  /** Number of rejected rows without an address. */
  readonly unnamed: number;
  readonly changes: OnlyChangedOptions;
  readonly faults: readonly FaultRule[];
  readonly killRate: number;
  readonly interruptRate: number;
  /** What happened to the ledger of the machine before this night. */
  readonly ledger: 'kept' | 'lost' | 'damaged' | 'keyless';
  /** Number of changes in the app before this night. */
  readonly app: { readonly leave: number; readonly remove: number; readonly suppress: number; readonly join: number };
}

export interface NightsScenario {
  readonly seed: number;
  readonly random: Random;
  readonly nights: readonly Night[];
  readonly machines: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly explicitStatus: boolean;
}

/** The nights of a seed. The last one has no faults, so the audience must end as its list says. */
export function createNights(seed: number): NightsScenario {
  const random = createRandom(seed * 2_246_822_519);
  const machines = random.chance(0.25) ? 2 : 1;
  const count = random.int(2, 5);
  const nights: Night[] = [];
  let people = Array.from({ length: random.int(4, 20) }, (_, index) => newRow(index, random));
  for (let index = 0; index < count; index += 1) {
    const isLast = index === count - 1;
    people = index === 0 ? people : nextPeople(people, random);
    const rows = people.filter(() => !random.chance(0.06));
    const calm = isLast || random.chance(0.4);
    nights.push({
      machine: isLast ? 0 : random.int(0, machines - 1),
      rows,
      unnamed: random.chance(0.1) ? random.int(1, 2) : 0,
      // The ledger doesn't know the writes of another machine, so then the last list is sent in full.
      changes: { full: isLast ? machines > 1 : random.chance(0.08), ...goneOf(random) },
      // svc finds silently dropped rows only in its samples, and not after a kill. So these nights have no such fault.
      faults: (calm ? [] : createFaults(random, { enrolls: false })).filter(({ kind }) => kind !== 'drop_rows'),
      killRate: calm ? 0 : random.pick([0, 0.5, 0.9]),
      interruptRate: calm ? 0 : random.pick([0, 0, 0.3]),
      ledger: random.chance(0.1) ? random.pick(['lost', 'damaged', 'keyless'] as const) : 'kept',
      app: {
        leave: random.pick([0, 0.1, 0.3]),
        remove: random.pick([0, 0, 0.1]),
        suppress: random.pick([0, 0, 0.1]),
        join: random.int(0, 2),
      },
    });
  }
  const [batchSize, concurrency] = [random.int(2, 6), random.int(1, 4)];
  return { seed, random, nights, machines, batchSize, concurrency, explicitStatus: random.chance(0.12) };
}

function goneOf(random: Random): Omit<OnlyChangedOptions, 'full'> {
  const action = random.pick(['none', 'report', 'unsubscribe', 'unsubscribe'] as const);
  const gone = action === 'none' ? undefined : action;
  const maxGone = { kind: 'percent', percent: random.pick([100, 100, 30]) } as const;
  return { gone, maxGone, maxOptOuts: undefined, maxMoved: undefined };
}

function newRow(index: number, random: Random): Row {
  return {
    email: `p${index}@example.com`,
    name: `Name ${index}`,
    company: random.pick(COMPANIES),
    status: random.pick(['subscribed', 'subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'pending']),
    spelling: 'plain',
  };
}

const COMPANIES = ['Acme', 'Beta', 'Core', 'Delta'];

/** The list of the next night: most rows stay, some change, some are new. */
function nextPeople(people: readonly Row[], random: Random): Row[] {
  const share = random.pick([0, 0.1, 0.5]);
  const next = people.map((row) => {
    const spelling = random.chance(0.05) ? random.pick<Row['spelling']>(['upper', 'quoted']) : 'plain';
    const status = random.chance(share / 4)
      ? random.pick(['subscribed', 'unsubscribed', 'pending'] as const)
      : row.status;
    const company = random.chance(share) ? random.pick(COMPANIES) : row.company;
    return { ...row, spelling, status, company };
  });
  const more = Array.from({ length: random.int(0, 2) }, (_, index) => newRow(people.length + index, random));
  return [...next, ...more];
}

/** The list as a file. */
export function csvOf({ rows, unnamed }: Night): string {
  const bad = Array.from({ length: unnamed }, (_, index) => `no body ${index},A,subscribed,Acme`);
  const lines = rows.map((row) => `${written(row)},${row.name},${row.status},${row.company}`);
  return `${['email,first_name,status,company', ...lines, ...bad].join('\n')}\n`;
}

function written({ email, spelling }: Row): string {
  switch (spelling) {
    case 'plain':
      return email;
    case 'upper':
      return email.toUpperCase();
    default:
      return `'${email}'`;
  }
}
