import { Option } from 'commander';
import { badUsage } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import type { FailureLimit, ImportOptions, OnlyChangedOptions } from '../../../run-lifecycle/data/run-options.ts';

/** The flags of `contacts import` for repeated imports of a list. commander gives their names in camelCase. */
export interface ChangeFlags {
  readonly onlyChanged?: boolean;
  readonly full?: boolean;
  readonly gone?: OnlyChangedOptions['gone'];
  readonly maxGone?: string;
  readonly maxOptOuts?: string;
  readonly maxMoved?: string;
}

/** The flags for repeated imports, and their title in the help. */
export const CHANGE_FLAGS = {
  title: 'Repeated imports:',
  options: () => [
    new Option('--only-changed', 'send only people who are new or changed since this machine last sent them'),
    new Option('--full', 'send all people, and record what is accepted for --only-changed'),
    new Option('--gone [action]', 'list or unsubscribe the people of earlier lists who are missing in this one')
      .choices(['report', 'unsubscribe'])
      .preset('report'),
    new Option('--max-gone <n|n%>', 'stop when more people than this are missing (default: 5%)'),
    new Option(
      '--max-opt-outs <n|n%>',
      'stop when a list opts out more of its subscribed people than this (default: 20%)',
    ),
    new Option('--max-moved <n|n%>', 'stop when more people have a new address beside the earlier one (default: 5%)'),
  ],
};

/**
 * The options for the contact ledger. `full` is true with --full. It is also true if --gone is given alone, without
 * --only-changed: then all people are sent.
 */
export function changeOptions({
  onlyChanged,
  full,
  gone,
  maxGone,
  maxOptOuts,
  maxMoved,
}: ChangeFlags): Pick<ImportOptions, 'changes'> {
  if (onlyChanged || full || gone) {
    const sendsAll = full === true || onlyChanged !== true;
    return {
      changes: {
        full: sendsAll,
        gone,
        maxGone: parseFailureLimit('--max-gone', maxGone ?? '5%'),
        maxOptOuts: maxOptOuts === undefined ? undefined : parseFailureLimit('--max-opt-outs', maxOptOuts),
        maxMoved: maxMoved === undefined ? undefined : parseFailureLimit('--max-moved', maxMoved),
      },
    };
  }
  if (maxGone !== undefined) {
    throw badUsage('--max-gone needs --gone', 'For example:\n--gone report');
  }
  if (maxOptOuts !== undefined) {
    throw badUsage('--max-opt-outs needs --only-changed, --full or --gone', 'For example:\n--only-changed');
  }
  if (maxMoved !== undefined) {
    throw badUsage('--max-moved needs --only-changed, --full or --gone', 'For example:\n--only-changed');
  }
  return { changes: undefined };
}

/** Parses the value of a limit such as --max-failures or --max-gone: `100` or `5%`. Other text is a usage error. */
export function parseFailureLimit(flag: string, text: string): FailureLimit {
  const match = /^(\d{1,9}(?:\.\d+)?)(%?)$/.exec(text);
  if (!match || (match[2] === '' && match[1]!.includes('.'))) {
    throw badUsage(`${flag} takes a number or a percentage, not "${terminalSafe(text)}"`, `For example:\n${flag} 5%`);
  }
  const value = Number(match[1]);
  if (match[2] === '%' && value > 100) {
    throw badUsage(`${flag} takes at most 100%, not ${terminalSafe(text)}`, `For example:\n${flag} 5%`);
  }
  return match[2] === '%' ? { kind: 'percent', percent: value } : { kind: 'rows', rows: value };
}
