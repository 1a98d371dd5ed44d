import type { Transport } from '../../../src/base/context.ts';
import type { RunReport } from '../../../src/run-lifecycle/data/run-report.ts';
import type { ProgramEnd } from '../machine/machine.ts';
import type { Service } from '../machine/service.ts';
import type { Night, Row } from './scenario.ts';

/** People over all nights, and the broken promises. */
export interface NightsRecord {
  readonly problems: string[];
  /** People who opted out in the app and were not deleted there since. */
  readonly optedOut: Set<string>;
  /** People who were deleted in the app at some time. */
  readonly removed: Set<string>;
  readonly suppressed: Set<string>;
  /** People who joined in the app and were in no list. */
  readonly joinedInApp: Set<string>;
  /** For each machine, the people whom it wrote since it has its ledger. */
  readonly sent: Set<string>[];
  /** For each machine, true from the loss of its ledger until a list was sent to its end without --gone. */
  readonly hasLostLedger: boolean[];
  /** People whom a request of this night wrote. */
  readonly written: Set<string>;
  tonight: Night | undefined;
  /** True after the last import. */
  finished: boolean;
}

export function createRecord(): NightsRecord {
  return {
    problems: [],
    optedOut: new Set(),
    removed: new Set(),
    suppressed: new Set(),
    joinedInApp: new Set(),
    sent: [],
    hasLostLedger: [],
    written: new Set(),
    tonight: undefined,
    finished: false,
  };
}

/** Checks each batch: --gone must not unsubscribe people of the list (G6). */
export function watchNight(record: NightsRecord, machine: number, inner: Transport): Transport {
  return {
    close: () => inner.close(),
    send: (request, signal) => {
      if (request.method === 'POST' && request.url.pathname.endsWith('/contacts/batch')) {
        const { contacts } = JSON.parse(String(request.body)) as {
          contacts: { email: string; status?: string }[];
        };
        contacts.forEach((contact) => checkSent(record, machine, contact));
      }
      return inner.send(request, signal);
    },
  };
}

function checkSent(record: NightsRecord, machine: number, { email, status }: { email: string; status?: string }): void {
  const row = record.tonight?.rows.find((one) => one.email === email);
  if (row && status === 'unsubscribed' && row.status !== 'unsubscribed') {
    record.problems.push(`G6: ${email} is in the list and is unsubscribed`);
  }
  if (!row && status !== 'unsubscribed') {
    record.problems.push(`G6: ${email} is not in the list and is sent`);
  }
  if (!row && record.tonight?.changes.gone !== 'unsubscribe') {
    record.problems.push(`G6: ${email} is missing and is written without --gone unsubscribe`);
  }
  if (record.joinedInApp.has(email)) {
    record.problems.push(`G6: ${email} was never in a list and is written`);
  }
  record.sent[machine]?.add(email);
  record.written.add(email);
}

interface EndedNight {
  readonly night: Night;
  readonly ended: ProgramEnd | undefined;
  readonly isLast: boolean;
}

/** Checks the promises that hold after each night. */
export function checkNight(record: NightsRecord, service: Service, { night, ended, isLast }: EndedNight): void {
  const { problems } = record;
  checkConsent(record, service);
  if (ended?.code === 70) {
    problems.push(`bug: ${ended.err}`);
  }
  const report = reportOf(ended);
  checkLostLedger(record, night, report);
  if (isLast && ended?.code !== 5 && !report) {
    problems.push(`D1: the last night did not finish: exit ${ended?.code}: ${ended?.err}`);
  }
  if (ended?.code === 0 && night.changes.gone === 'unsubscribe' && !warnsOfShape(report)) {
    checkGone(record, service, night);
  }
  // When --max-gone stops a run, nothing is sent, so the audience stays as it is.
  if (isLast && (ended?.code === 0 || ended?.code === 3)) {
    record.finished = true;
    checkAudience(record, service, night);
  }
}

/** An unchanged list is not sent again, except for people whom the service refused (G1). */
export function checkEnd(
  record: NightsRecord,
  service: Service,
  { night, ended, explicitStatus }: Omit<EndedNight, 'isLast'> & { readonly explicitStatus: boolean },
): void {
  checkConsent(record, service);
  const report = reportOf(ended);
  if (!report) {
    record.problems.push(`D1: the last list once more: exit ${ended?.code}: ${ended?.err}`);
    return;
  }
  if (!record.finished) {
    return;
  }
  const refused = service.emulator.admin.suppressions().map(({ email }) => email);
  const needless = [...record.written].filter((email) => !refused.includes(email));
  // With --explicit-status the regular batch refuses a new person of the canary as known. Then svc sends the person
  // once more.
  if (needless.length > (explicitStatus ? MAX_IN_CANARY : 0)) {
    record.problems.push(`G1: sent again although nothing changed: ${needless.join(', ')}`);
  }
  checkAudience(record, service, night);
}

const MAX_IN_CANARY = 4;

/** People who opted out must not be subscribed again (C1). */
function checkConsent({ optedOut, problems }: NightsRecord, { emulator }: Service): void {
  for (const { email, status } of emulator.admin.contacts(emulator.audienceId)) {
    if (optedOut.has(email) && status === 'subscribed') {
      problems.push(`C1: ${email} left and is subscribed again`);
    }
  }
}

/** Without the people of earlier lists, --gone must stop (G3). A resume knows them from the time before the loss. */
function checkLostLedger({ hasLostLedger, problems }: NightsRecord, { machine, changes }: Night, report?: RunReport) {
  if (!report) {
    return;
  }
  if (changes.gone === undefined) {
    hasLostLedger[machine] = false;
  } else if (hasLostLedger[machine] && !report.resumed) {
    problems.push(`G3: the ledger of machine ${machine} is lost, and --gone ${changes.gone} did not stop`);
  }
}

/** People of earlier lists of this machine who are missing now must not be subscribed. */
function checkGone({ sent, problems, suppressed }: NightsRecord, { emulator }: Service, night: Night): void {
  const named = new Set(night.rows.map(({ email }) => email));
  for (const { email, status } of emulator.admin.contacts(emulator.audienceId)) {
    const isGone = sent[night.machine]?.has(email) && !named.has(email) && !suppressed.has(email);
    if (isGone && status === 'subscribed') {
      problems.push(`G6: ${email} is gone and is still subscribed`);
    }
  }
}

/** The audience must hold each person as the list says. */
function checkAudience(record: NightsRecord, { emulator }: Service, night: Night): void {
  const { problems, removed, suppressed } = record;
  const refused = new Set(emulator.admin.suppressions().map(({ email }) => email));
  for (const row of night.rows) {
    const there = emulator.admin.contact(row.email, emulator.audienceId);
    const isWritten = row.status !== 'pending' && row.spelling !== 'quoted';
    if (!isWritten || refused.has(row.email) || suppressed.has(row.email) || (!there && removed.has(row.email))) {
      continue;
    }
    const problem = there === undefined ? 'is not there' : differenceOf(row, there);
    if (problem !== undefined) {
      problems.push(`G2: ${row.email} ${problem}`);
    }
  }
}

type ContactRow = NonNullable<ReturnType<Service['emulator']['admin']['contact']>>;

function differenceOf(row: Row, { status, first_name, attributes }: ContactRow): string | undefined {
  const { company } = JSON.parse(attributes) as { company?: string };
  if (company !== row.company || first_name !== row.name) {
    return `has ${first_name}, ${company} instead of ${row.name}, ${row.company}`;
  }
  return row.status === 'unsubscribed' && status === 'subscribed' ? 'is subscribed, and the list says no' : undefined;
}

function reportOf(ended: ProgramEnd | undefined): RunReport | undefined {
  return ended && (ended.code === 0 || ended.code === 3) ? (JSON.parse(ended.out) as RunReport) : undefined;
}

function warnsOfShape(report: RunReport | undefined): boolean {
  return report?.findings.some(({ check, message }) => check === 'gone' && message.includes('only reported')) === true;
}
