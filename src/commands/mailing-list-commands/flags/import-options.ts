import { checkAddress, checkId } from '../../../api/resources/ids.ts';
import { badUsage } from '../../../base/lib/errors.ts';
import type { EnrollOptions } from '../../../enroll/draft/enroll-options.ts';
import { parseDefaultStatuses, parsePairs, refuseTwoValues } from '../../../import/mapping/answers/answer-pairs.ts';
import type { ReadingOptions } from '../../../import/mapping/reading-answers.ts';
import type { ImportCommand, ImportOptions } from '../../../run-lifecycle/data/run-options.ts';
import { checkValue, type Invocation } from '../../framework/invocation.ts';
import { isTemporaryAccount } from '../../framework/settings/account.ts';
import type { Settings } from '../../framework/settings/settings.ts';
import { checkStdinOnce } from '../../framework/stdin.ts';
import { audienceTarget } from './audience-target.ts';
import { DEFAULT_MAX_NEW_FIELDS, type ImportFlags } from './import-flags.ts';
import { changeOptions, parseFailureLimit } from './only-changed-flags.ts';

/** What the user typed, together with the values of --mapping and the answers. */
interface CommandParts {
  readonly command: ImportCommand;
  readonly inputs: readonly string[];
  readonly flags: ImportFlags;
  readonly settings: Settings;
}

export function importOptions({ command, inputs, flags, settings }: CommandParts): ImportOptions {
  return {
    ...commonOptions({ inputs, flags, settings }),
    command,
    reading: {
      ...readingOptions(flags),
      ...(command === 'suppressions import' ? { attributes: 'none' as const } : {}),
    },
    target: audienceTarget(flags, settings),
    explicitStatus: flags.explicitStatus === true,
    verify: flags.verify,
    verifySample: flags.verifySample,
    again: flags.again === true,
    ...changeOptions(flags),
    batchSize: undefined,
  };
}

type ListFlags = Omit<ImportFlags, 'verify' | 'verifySample'>;

interface ListParts extends Pick<CommandParts, 'inputs' | 'settings'> {
  readonly flags: ListFlags;
}

/** The options that an import and an enrollment share. */
function commonOptions({ inputs, flags, settings }: ListParts) {
  checkStdinOnce(settings, inputs);
  return {
    inputs,
    allowAutomations: (flags.allowAutomation ?? []).map((id) =>
      checkValue('--allow-automation', () => checkId('automation', id)),
    ),
    maxNewFields: flags.maxNewFields ?? DEFAULT_MAX_NEW_FIELDS,
    maxFailures: parseFailureLimit('--max-failures', flags.maxFailures),
    plan: planOf(settings),
    concurrency: flags.concurrency,
    dryRun: flags.dryRun === true,
  };
}

/**
 * The plan of the account that the user gave. Without it, `paid` for a temporary emulator of --emulator, because that
 * emulator starts on a paid plan. Otherwise undefined.
 */
function planOf(settings: Settings): ImportOptions['plan'] {
  return settings.plan.value ?? (isTemporaryAccount(settings) ? 'paid' : undefined);
}

export function readingOptions(flags: ListFlags): ReadingOptions {
  refuseTwoValues('--map', flags.map ?? []);
  return {
    from: flags.from,
    map: flags.map ?? [],
    statusMap: parsePairs('--status-map', 'word=state', flags.statusMap ?? []),
    defaultStatus: parseDefaultStatuses(flags.defaultStatus ?? []),
    attributes: attributeChoice(flags.attributes),
    topicValues: parsePairs('--topic-value', 'column=value', flags.topicValue ?? []),
    timezone: flags.timezone,
    dateOrder: flags.dateOrder,
    encoding: flags.encoding,
    delimiter: flags.delimiter === '\\t' || flags.delimiter === 'tab' ? '\t' : flags.delimiter,
    quote: flags.quote,
    escape: flags.escape,
    empty: flags.empty,
    duplicates: flags.duplicates,
    allowJoinedFiles: flags.allowJoinedFiles === true,
    allowHeadings: checkTexts('--allow-heading', flags.allowHeading),
    allowLegends: checkTexts('--allow-legend', flags.allowLegend),
    allowBlanks: checkTexts('--allow-blanks', flags.allowBlanks),
    reason: flags.reason,
    savedColumns: flags.savedColumns,
    savedForAllWords: flags.savedForAllWords,
  };
}

// An empty text fits no row, so it can't be an answer about one.
function checkTexts(flag: string, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (texts?.some((text) => text.trim() === '')) {
    throw badUsage(`${flag} takes the text that the stop shows, not an empty one`);
  }
  return texts;
}

function attributeChoice(text: string | undefined): ReadingOptions['attributes'] {
  if (text === undefined || text === 'all' || text === 'none') {
    return text ?? 'all';
  }
  return text.split(',').map((name) => name.trim());
}

export interface EnrollFlags extends ListFlags {
  readonly email?: readonly string[];
  readonly createContacts?: boolean;
  readonly atMostOnce?: boolean;
  readonly reenroll?: boolean;
}

/**
 * Turns the arguments and flags of an enrollment into its options. The first argument is the automation, the others are
 * inputs.
 */
export function enrollOptions({
  args,
  flags,
  settings,
}: Pick<Invocation<EnrollFlags>, 'args' | 'flags' | 'settings'>): EnrollOptions {
  const [automationId = '', ...inputs] = args;
  const emails = (flags.email ?? []).map((email) =>
    checkValue('--email', () => checkAddress(email.trim().toLowerCase())),
  );
  return {
    ...commonOptions({ inputs, flags, settings }),
    command: 'automations enroll',
    automationId: checkId('automation', automationId),
    emails,
    reading: readingOptions(flags),
    createContacts: flags.createContacts === true,
    atMostOnce: flags.atMostOnce === true,
    reenroll: flags.reenroll === true,
  };
}
