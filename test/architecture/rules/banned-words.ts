import { type Module, nameOf, type Visit } from '../module.ts';
import type { Rule } from '../rule.ts';

/** Folders that the rule holds for. Further folders of test/ are added as their names follow docs/glossary.md. */
const CHECKED: readonly string[] = [
  'src/',
  'test/architecture/',
  'test/contract/',
  'test/mutation/',
  'test/unit/api/',
  'test/unit/base/',
  'test/unit/contacts-check/',
  'test/unit/emulator/',
  'test/unit/enroll/',
  'test/unit/platforms/',
  'test/unit/render/',
  'test/unit/runs/',
];

/** Members whose names are stored in run.db, printed as JSON, or taken from a flag. */
const FROZEN: readonly string[] = [
  'src/commands/emulator/start.ts: quirk',
  'src/commands/webhooks/ls.ts: watch',
  'src/import/dedupe/staging.ts: witness',
  'src/runs/store/counts.ts: doubt',
  'src/runs/store/recorded-request.ts: generation',
  'src/runs/store/recorded-request.ts: ours',
];

/** Banned in every position of a name: `fate` bans `fateOf` and rowFates too. */
const BANNED_PARTS: ReadonlyMap<string, string> = new Map([
  ['clash', 'key collision'],
  ['doomed', 'deletion prompt'],
  ['doubt', 'outcome unknown'],
  ['fate', 'outcome'],
  ['folded', 'merged'],
  ['forgotten', 'missing option value'],
  ['halved', 'bisected'],
  ['halving', 'bisect'],
  ['heard', 'recorded, response or event, by meaning'],
  ['judge', 'parseRecord, or decideRetry'],
  ['judgement', 'ParsedRecord'],
  ['keeper', 'staging writer'],
  ['mended', 'corrected'],
  ['newcomer', 'newly created contact'],
  ['nobody', 'the noun that is meant'],
  ['noun', 'command group'],
  ['odd', 'ambiguous case'],
  ['pacer', 'rate limiter'],
  ['proving', 'canary'],
  ['quirk', 'variant'],
  ['settle', 'finalize, recordOutcome or resolve, by meaning'],
  ['unsettled', 'open'],
  ['said', 'options, response or recorded, by meaning'],
  ['somebody', 'the noun that is meant'],
  ['spool', 'copy'],
  ['steal', 'consumeQuota'],
  ['strange', 'unrecognized'],
  ['tally', 'counts'],
  ['telling', 'canary'],
  ['told', 'options, response or recorded, by meaning'],
  ['twin', 'matching run'],
  ['unasked', 'skipped'],
  ['vendor', 'platform'],
  ['unmended', 'unresolved'],
  ['unsaid', 'not stated'],
  ['verdict', 'StatusReading'],
  ['witness', 'mentioned address, or probe contact'],
]);

/** Banned as the whole name only, because other names may need the word. */
const BANNED_NAMES: ReadonlyMap<string, string> = new Map([
  ['announce', 'reportPhase'],
  ['around', 'run context'],
  ['begun', 'opened run'],
  ['books', 'reconciliation'],
  ['chance', 'jitter'],
  ['chunk', 'batch'],
  ['deliver', 'sendRecorded'],
  ['effort', 'attempts'],
  ['facts', 'account snapshot'],
  ['firstlook', 'TableFirstRead'],
  ['fold', 'mergeDuplicates'],
  ['generation', 'keyVersion'],
  ['gate', 'rate limiter'],
  ['gatherfacts', 'fetchSnapshot'],
  ['hasbegun', 'hasSentRequests'],
  ['hold', 'lock'],
  ['indoubt', 'isOutcomeUnknown'],
  ['keyat', 'KeySource'],
  ['keyed', 'KeySource'],
  ['look', 'preview, collect or pass, by meaning'],
  ['news', 'rate-limit headers'],
  ['once', 'createIdempotently'],
  ['ours', 'afterLostResponse'],
  ['outside', 'run context'],
  ['places', 'column indexes'],
  ['stage', 'phase'],
  ['stateless', 'default status'],
  ['ticket', 'permit'],
  ['units', 'requests'],
  ['watch', 'column statistics, or onEvent'],
  ['writeonce', 'createIdempotently'],
]);

export const noBannedWords: Rule = {
  claim: 'names use the words of docs/glossary.md',
  broken: (modules) => bannedIn(modules, CHECKED),
  proof: {
    files: {
      'src/wire/a.ts':
        'export function fateOf(told: string, { generation }: Left) { const chunkSize = 1; return event.heard; }',
      'src/wire/b.ts':
        'interface Counts { readonly rowTally: number; readonly keyClashes: Key[]; watch(): void; readonly goneAway: true }',
      'test/elsewhere/c.ts': 'const told = 1;',
    },
    says: [
      'src/wire/a.ts: fateOf (outcome)',
      'src/wire/a.ts: told (options, response or recorded, by meaning)',
      'src/wire/a.ts: generation (keyVersion)',
      'src/wire/b.ts: rowTally (counts)',
      'src/wire/b.ts: keyClashes (key collision)',
      'src/wire/b.ts: watch (column statistics, or onEvent)',
    ],
  },
};

/** Names that a module declares with a banned word, with the word to use. Names that it only uses don't count. */
export function bannedIn(modules: readonly Module[], folders: readonly string[]): string[] {
  return modules
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, visits }) =>
      [...new Set(visits.filter(isDeclared).map(({ node }) => nameOf(node)))].flatMap((name) => {
        const instead = FROZEN.includes(`${path}: ${name}`) ? undefined : replacementFor(name);
        return instead === undefined ? [] : [`${path}: ${name} (${instead})`];
      }),
    );
}

function replacementFor(name: string): string | undefined {
  const words = name.split(/(?=[A-Z][a-z])|[_$]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  const banned = words.flatMap((word) => stemsOf(word, ['s', 'es', 'd', 'ed'])).find((word) => BANNED_PARTS.has(word));
  const whole = stemsOf(name.toLowerCase(), ['s', 'es']).find((word) => BANNED_NAMES.has(word));
  return banned === undefined ? BANNED_NAMES.get(whole ?? '') : BANNED_PARTS.get(banned);
}

/** The word itself, and the word without each ending. */
function stemsOf(word: string, endings: readonly string[]): string[] {
  return [word, ...endings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length))];
}

const MEMBERS = ['TSPropertySignature', 'TSMethodSignature', 'PropertyDefinition', 'MethodDefinition'];

/** True for the identifier of a declaration, of a parameter, of a part of a pattern, and of a member of a type. */
function isDeclared({ node, field, above }: Visit): boolean {
  if (node.type !== 'Identifier' || !above) {
    return false;
  }
  const { type } = above.node;
  const isMember = field === 'key' && MEMBERS.includes(type);
  const isPart =
    (field === 'value' && type === 'Property' && above.above?.node.type === 'ObjectPattern') ||
    (field === 'elements' && type === 'ArrayPattern') ||
    (field === 'argument' && type === 'RestElement') ||
    (field === 'left' && type === 'AssignmentPattern');
  return field === 'id' || field === 'params' || isMember || isPart;
}
