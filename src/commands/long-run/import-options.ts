import { checkAddress, checkId } from '../../api/resources/ids.ts';
import { badUsage } from '../../base/lib/errors.ts';
import { safe } from '../../base/lib/text.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import type { FailureLimit, ImportCommand, ImportOptions } from '../../migrate/options.ts';
import type { Invocation } from '../framework/invocation.ts';
import type { Settings } from '../framework/settings/settings.ts';
import { checkStdinOnce } from '../framework/stdin.ts';
import { audienceTarget } from './audience-target.ts';
import { DEFAULT_MAX_NEW_FIELDS, type ImportFlags } from './import-flags.ts';
import { changeOptions, rowLimit } from './only-changed-flags.ts';

interface CommandParts {
  readonly command: ImportCommand;
  readonly inputs: readonly string[];
  readonly flags: ImportFlags;
  readonly settings: Settings;
}

/** Makes options of flags, as one plain record. A flag wins over the value of a --mapping file. */
export function importOptions({ command, inputs, flags, settings }: CommandParts): ImportOptions {
  checkStdinOnce(settings, inputs);
  return {
    command,
    inputs,
    reading: {
      ...readingOptions(flags),
      ...(command === 'suppressions import' ? { attributes: 'none' as const } : {}),
    },
    target: audienceTarget(flags, settings),
    allowAutomations: (flags.allowAutomation ?? []).map((id) => checkId('automation', id)),
    explicitStatus: flags.explicitStatus === true,
    maxNewFields: flags.maxNewFields ?? DEFAULT_MAX_NEW_FIELDS,
    maxFailures: failureLimit(flags.maxFailures),
    // The plan is known only for a new embedded emulator: paid.
    plan: settings.plan.value ?? (settings.emulator && settings.emulatorData === undefined ? 'paid' : undefined),
    concurrency: flags.concurrency,
    verify: flags.verify,
    verifySample: flags.verifySample,
    dryRun: flags.dryRun === true,
    again: flags.again === true,
    ...changeOptions(flags),
  };
}

export function readingOptions(flags: Omit<ImportFlags, 'verify' | 'verifySample'>): ReadingOptions {
  return {
    from: flags.from,
    map: flags.map ?? [],
    statusMap: pairs('--status-map', flags.statusMap ?? []),
    defaultStatus: defaultStatuses(flags.defaultStatus ?? []),
    attributes: attributeChoice(flags.attributes),
    topicValues: pairs('--topic-value', flags.topicValue ?? []),
    timezone: flags.timezone,
    dateOrder: flags.dateOrder,
    encoding: flags.encoding,
    delimiter: flags.delimiter === '\\t' || flags.delimiter === 'tab' ? '\t' : flags.delimiter,
    quote: flags.quote,
    escape: flags.escape,
    empty: flags.empty,
    duplicates: flags.duplicates,
    allowJoinedFiles: flags.allowJoinedFiles === true,
    reason: flags.reason,
  };
}

/** Parses `word=state` pairs, split at the last `=`. A word may contain `=`, and `=state` sets the blank status. */
function pairs(flag: string, texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 0 || at === text.length - 1) {
        throw badUsage(`${flag} takes name=value, not "${safe(text)}"`, `For example: ${flag} word=subscribed`);
      }
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function defaultStatuses(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      return at < 0 ? ['*', text] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function attributeChoice(text: string | undefined): ReadingOptions['attributes'] {
  if (text === undefined || text === 'all' || text === 'none') {
    return text ?? 'all';
  }
  return text.split(',').map((name) => name.trim());
}

export function failureLimit(text: string): FailureLimit {
  return rowLimit('--max-failures', text);
}

export interface EnrollFlags extends Omit<ImportFlags, 'verify' | 'verifySample'> {
  readonly email?: readonly string[];
  readonly createContacts?: boolean;
  readonly atMostOnce?: boolean;
  readonly reenroll?: boolean;
}

/** Makes options of flags. The first argument is the automation, the others are inputs. */
export function enrollOptions({
  args,
  flags,
  settings,
}: Pick<Invocation<EnrollFlags>, 'args' | 'flags' | 'settings'>): EnrollOptions {
  const [automationId = '', ...inputs] = args;
  checkStdinOnce(settings, inputs);
  const emails = (flags.email ?? []).map((email) => checkAddress(email.trim().toLowerCase()));
  return {
    command: 'automations enroll',
    automationId: checkId('automation', automationId),
    inputs,
    emails,
    reading: readingOptions(flags),
    createContacts: flags.createContacts === true,
    atMostOnce: flags.atMostOnce === true,
    reenroll: flags.reenroll === true,
    allowAutomations: (flags.allowAutomation ?? []).map((id) => checkId('automation', id)),
    maxNewFields: flags.maxNewFields,
    maxFailures: failureLimit(flags.maxFailures),
    // The plan is known only for the embedded emulator.
    plan: settings.plan.value ?? (settings.emulator ? 'paid' : undefined),
    concurrency: flags.concurrency,
    dryRun: flags.dryRun === true,
  };
}
