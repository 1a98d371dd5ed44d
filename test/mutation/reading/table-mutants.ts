import type { Mutant } from '../mutant.ts';

const READS = ['test/unit/commands/reads/runs.test.ts'];
const LIES = ['test/unit/migrate/verify/false-responses.test.ts'];
const CHANGED_INPUT = ['test/unit/commands/resumable-run/changed-input.test.ts'];

/** Behavior that the tables of whole commands cover. */
export const TABLE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'O2',
    what: 'a name server that does not answer at once ends the command',
    file: 'src/api/http/no-response.ts',
    from: 'DNS, and --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.",\n    mayPass: true,\n',
    to: 'DNS.",\n',
    tests: ['test/unit/api/http/no-response.test.ts'],
  },
  {
    rule: 'O8',
    what: 'a deleted audience counts as empty, and suppressions are written',
    file: 'src/migrate/prepare/account-snapshot.ts',
    from: 'id === target?.id ? target.contact_counts.total : await countContacts(source, id)',
    to: 'await countContacts(source, id)',
    tests: READS,
  },
  {
    rule: 'D5',
    what: 'with --quiet nothing says that a resume sends an older file',
    file: 'src/migrate/report/finish-import.ts',
    from: 'findings: [...changed, ...findings,',
    to: 'findings: [...findings,',
    tests: CHANGED_INPUT,
  },
  {
    rule: 'F5',
    what: 'topics that the service dropped are not read back',
    file: 'src/migrate/verify/compare-contact.ts',
    from: '    ...compareTopics(sent.topics, record.topics),\n',
    to: '',
    tests: LIES,
  },
  {
    rule: 'C2',
    what: 'the date of an opt-out is read back in the canary only',
    file: 'src/migrate/verify/verify.ts',
    from: '...(allNew ? dates : [])',
    to: '...(allNew ? [] : [])',
    tests: LIES,
  },
  {
    rule: 'C1',
    what: 'the canary believes that a known person was unsubscribed',
    file: 'src/migrate/canary/read-back.ts',
    from: "before === 'there' && isFresh ? compareOptOut",
    to: "before === 'opted out' && isFresh ? compareOptOut",
    tests: ['test/unit/migrate/canary/opt-outs-proven.test.ts'],
  },
  {
    rule: 'L4',
    what: 'the sample at the end holds no further opt-outs',
    file: 'src/migrate/verify/sampler.ts',
    from: 'const isWanted = wanted > 0 &&',
    to: 'const isWanted = wanted > 1_000 &&',
    tests: ['test/unit/migrate/canary/opt-outs-proven.test.ts'],
  },
  {
    rule: 'K4',
    what: 'suppressions of one account continue in another one',
    file: 'src/migrate/prepare/same-account.ts',
    from: '!account || header.keyFingerprint === account.keyFingerprint) {',
    to: '!account || mark) {',
    tests: ['test/unit/migrate/prepare/suppressions-account.test.ts'],
  },
  {
    rule: 'M3',
    what: 'a batch that waited for a permit is sent without another check of automations',
    file: 'src/migrate/checks/automations.ts',
    from: 'isStale: () => age() >= STALE_MS,',
    to: 'isStale: () => false,',
    tests: ['test/unit/migrate/checks/flows-meanwhile.test.ts'],
  },
  {
    rule: 'S3',
    what: 'a total of suppressions that is too low never ends the run',
    file: 'src/migrate/verify/verify.ts',
    from: 'if (expected.audienceId === undefined) {\n      // The phase',
    to: "if (expected.audienceId === '') {\n      // The phase",
    tests: ['test/unit/migrate/verify/suppressed-total.test.ts'],
  },
  {
    rule: 'D1',
    what: 'a resume skips requests by their number, although their rows differ',
    file: 'src/migrate/write/send-and-bisect.ts',
    from: 'if (earlier && !keys.some((keyFor) => keyFor?.(earlier.keyVersion) === earlier.key)) {',
    to: 'if (earlier && earlier.key === write.name) {',
    tests: ['test/unit/migrate/prepare/read-differently.test.ts'],
  },
  {
    rule: 'C2',
    what: 'an opt-out date that the service ignores on an update is lost without a warning',
    file: 'src/migrate/verify/verify.ts',
    from: 'isDateLost: !allNew && dates.length > 0',
    to: 'isDateLost: allNew && dates.length > 0',
    tests: ['test/unit/migrate/report/lost-dates.test.ts'],
  },
  {
    rule: 'C2',
    what: 'a roll-back loses opt-out dates without a warning',
    file: 'src/migrate/canary/roll-back.ts',
    from: 'after && compareOptOutDate(item.contact, after).length > 0',
    to: 'after && compareOptOutDate(item.contact, after).length > 1',
    tests: ['test/unit/migrate/report/lost-dates.test.ts'],
  },
];
