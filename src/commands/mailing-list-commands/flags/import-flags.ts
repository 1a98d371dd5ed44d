import { type Command, Option } from 'commander';
import { parseDuration } from '../../../base/lib/duration.ts';
import { collectValues, wholeNumberParser } from '../../framework/invocation.ts';
import { type AccountLimits, DEFAULT_LIMITS } from '../../framework/settings/account.ts';
import type { AudienceFlags } from './audience-target.ts';
import { CHANGE_FLAGS, type ChangeFlags } from './only-changed-flags.ts';

interface ShowFlags {
  readonly details?: boolean;
  readonly logFile?: string;
}

/** Flags for the speed of sending and for waits. Durations are in milliseconds. */
export interface PaceFlags extends ShowFlags {
  readonly rate: number;
  readonly reserve: number;
  readonly concurrency: number;
  readonly maxWait: number;
  readonly wait: number;
}

/** All flags of the import commands. commander gives their names in camelCase. */
export interface ImportFlags extends AudienceFlags, ChangeFlags, PaceFlags {
  readonly from: string;
  readonly map?: readonly string[];
  readonly mapping?: string;
  readonly saveMapping?: string;
  readonly statusMap?: readonly string[];
  readonly defaultStatus?: readonly string[];
  readonly attributes?: string;
  readonly topicValue?: readonly string[];
  readonly maxNewFields: number;
  readonly timezone?: string;
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy';
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly empty: 'keep' | 'clear';
  readonly duplicates: 'merge' | 'reject';
  readonly allowJoinedFiles?: boolean;
  readonly allowHeading?: readonly string[];
  readonly allowLegend?: readonly string[];
  readonly allowBlanks?: readonly string[];
  readonly allowAutomation?: readonly string[];
  readonly explicitStatus?: boolean;
  /** From the file of --mapping only: the headers of numbered columns, such as `3=Status`. */
  readonly savedColumns?: readonly string[];
  /** From the file of --mapping only: its answers such as `Notes:*=subscribed`. */
  readonly savedForAllWords?: readonly string[];
  readonly reason?: 'bounced' | 'complained' | 'unsubscribed';
  readonly maxFailures: string;
  readonly verifySample: number;
  readonly verify: boolean;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly report?: string;
  readonly reportHtml?: string;
}

/** Adds the flags of an import command. `suppressions import` has --reason, but no flags for an audience. */
export function withImportFlags(command: Command, kind: 'migrate' | 'contacts' | 'suppressions'): Command {
  return withGroups(command, GROUPS[kind]);
}

export function withReadingFlags(command: Command): Command {
  return withGroups(command, [READING]);
}

export function withPaceFlags(command: Command): Command {
  return withGroups(command, [PACE, SHOW]);
}

/** Flags under one title of the help. `options` makes new ones at each call, because commander changes them. */
interface FlagGroup {
  readonly title: string;
  options(): readonly Option[];
}

function withGroups(command: Command, groups: readonly FlagGroup[]): Command {
  for (const { title, options } of groups) {
    options().forEach((option) => command.addOption(option.helpGroup(title)));
  }
  return command;
}

export function accountLimitsOf({ rate, reserve, concurrency, maxWait }: PaceFlags): AccountLimits {
  return { rate, reserve, concurrency, maxWaitMs: maxWait };
}

export const DEFAULT_MAX_FAILURES = '20%';
export const DEFAULT_MAX_NEW_FIELDS = 50;

const PACE: FlagGroup = {
  title: 'Pace:',
  options: () => [
    new Option('--rate <n>', 'requests a minute at most')
      .default(DEFAULT_LIMITS.rate)
      .argParser(wholeNumberParser('--rate', 1)),
    new Option('--reserve <n>', 'requests a minute to leave to other programs')
      .default(DEFAULT_LIMITS.reserve)
      .argParser(wholeNumberParser('--reserve', 0)),
    new Option('--concurrency <n>', 'requests in flight')
      .default(DEFAULT_LIMITS.concurrency)
      .argParser(wholeNumberParser('--concurrency', 1)),
    new Option('--max-wait <duration>', 'longest total wait for the rate limit')
      .default(DEFAULT_LIMITS.maxWaitMs, '30m')
      .argParser((text) => parseDuration(text, '--max-wait')),
    new Option('--wait <duration>', 'how long to wait for another run at this destination')
      .default(0, 'not at all')
      .argParser((text) => parseDuration(text, '--wait')),
  ],
};

const SHOW: FlagGroup = {
  title: 'Output:',
  options: () => [
    new Option('--details', 'the whole plan and the whole result'),
    new Option('--log-file <path>', 'append what happens, each line with its time'),
  ],
};

const TARGET: FlagGroup = {
  title: 'Where to:',
  options: () => [
    new Option('--audience <id>', 'audience to write to, by id or exact name; default: the only one there is'),
    new Option('--audience-name <name>', 'audience to write to, by name'),
    new Option('--create-audience', 'create the audience of --audience-name if there is none'),
    repeatable('--allow-automation <id>', 'allow this automation to mail the imported people'),
    new Option(
      '--explicit-status',
      'also send the status of new people; use it if the service does not subscribe new people by itself',
    ),
    new Option('--max-new-fields <n>', 'stop when more custom fields than this may be created')
      .default(DEFAULT_MAX_NEW_FIELDS)
      .argParser(wholeNumberParser('--max-new-fields', 0)),
  ],
};

const READING: FlagGroup = {
  title: 'Reading:',
  options: () => [
    new Option('--from <platform>', 'platform the list comes from').default('auto'),
    repeatable('--map <column=field>', 'which field a column holds; can be given several times'),
    new Option('--mapping <file>', 'read the answers of these flags from a JSON file'),
    new Option('--save-mapping <file>', 'write the answers of this run to a JSON file'),
    repeatable('--status-map <word=state>', 'what a status word of the list means'),
    repeatable('--default-status <[file=]state>', 'state of rows in inputs without a status'),
    new Option('--attributes <columns>', 'columns that become attributes: all, none or a,b,c'),
    repeatable('--topic-value <column=value>', 'the value to send for a column that --map assigns to a topic'),
    new Option('--timezone <zone>', 'time zone of times without one (default: UTC)'),
    new Option('--date-order <order>', 'order of ambiguous dates').choices(['ymd', 'dmy', 'mdy']),
    new Option('--encoding <name>', 'encoding of the inputs (default: detected)'),
    new Option('--delimiter <char>', 'delimiter of the inputs (default: detected)'),
    new Option('--quote <char>', 'quote around cells: ", \' or none (default: detected)'),
    new Option('--escape <char>', 'stands before a quote inside a cell: ", \' or \\ (default: detected)'),
    new Option('--empty <what>', 'an empty cell leaves the value alone, or clears it')
      .choices(['keep', 'clear'])
      .default('keep'),
    new Option('--duplicates <what>', 'what to do if an address occurs twice')
      .choices(['merge', 'reject'])
      .default('merge'),
    new Option('--allow-joined-files', 'reject the header of another list and the rows below it, and continue'),
    repeatable('--allow-heading <text>', 'the people below the row with this text did not leave'),
    repeatable('--allow-legend <text>', 'no person of the list has the mark that this text explains'),
    repeatable('--allow-blanks <column>', 'a blank of this column does not mean the same as the cell above it'),
  ],
};

const SENDING: FlagGroup = {
  title: 'Sending:',
  options: () => [
    new Option('--dry-run', 'survey, plan and checks only; nothing is sent'),
    new Option('--again', 'write again although the same batches were accepted in the last 24 hours'),
    new Option('--max-failures <n|n%>', 'stop when more rows than this are rejected or fail').default(
      DEFAULT_MAX_FAILURES,
    ),
    new Option(
      '--verify-sample <n>',
      'number of contacts to read back at the end; of people who opt out, up to 20 more',
    )
      .default(20)
      .argParser(wholeNumberParser('--verify-sample', 0)),
    new Option('--no-verify', 'no verification at the end'),
    new Option('--report <file>', 'a copy of the report'),
    new Option('--report-html <file>', 'a copy of the report as a web page'),
  ],
};

const REASON: FlagGroup = {
  title: 'Reading:',
  options: () => [
    new Option('--reason <reason>', 'every row has this reason').choices(['bounced', 'complained', 'unsubscribed']),
  ],
};

const GROUPS = {
  migrate: [TARGET, READING, SENDING, PACE, SHOW],
  contacts: [TARGET, READING, SENDING, CHANGE_FLAGS, PACE, SHOW],
  suppressions: [READING, SENDING, PACE, SHOW, REASON],
} as const;

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[]>(collectValues);
}
