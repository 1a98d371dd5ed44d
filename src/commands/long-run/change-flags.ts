import { Option } from 'commander';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ChangeOptions, ImportOptions } from '../../migrate/options.ts';
import { rowLimit } from './row-limit.ts';

/** Flags of `contacts import` for a list that comes again, in commander's camelCase. */
export interface ChangeFlags {
  readonly onlyChanged?: boolean;
  readonly full?: boolean;
  readonly gone?: ChangeOptions['gone'];
  readonly maxGone?: string;
}

/** The options of these flags, under their title in the help. */
export function changeFlags(): [readonly [string, readonly Option[]]] {
  return [
    [
      'Repeated imports:',
      [
        new Option('--only-changed', 'send only people who are new or changed since this machine last sent them'),
        new Option('--full', 'send all people, and record what is accepted for --only-changed'),
        new Option('--gone [action]', 'people of earlier lists who are missing in this one')
          .choices(['report', 'unsubscribe'])
          .preset('report'),
        new Option('--max-gone <n|n%>', 'stop when more people than this are missing (default: 5%)'),
      ],
    ],
  ];
}

/** --full and --gone use the ledger too. Without --only-changed they send all people. */
export function changeOptions({ onlyChanged, full, gone, maxGone }: ChangeFlags): Pick<ImportOptions, 'changes'> {
  if (onlyChanged || full || gone) {
    const sendsAll = full === true || onlyChanged !== true;
    return { changes: { full: sendsAll, gone, maxGone: rowLimit('--max-gone', maxGone ?? '5%') } };
  }
  if (maxGone !== undefined) {
    throw new SvcError(EXIT.usage, 'usage', '--max-gone needs --gone', { hint: 'For example: --gone report' });
  }
  return {};
}
