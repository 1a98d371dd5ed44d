import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { possibleFlagsOf, shellWord, terminalSafe } from '../../../base/lib/text.ts';
import { valuesNotReplaced } from '../../../import/mapping/answers/answer-pairs.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { programName } from '../../framework/output/command-to-paste.ts';
import { DEFAULT_MAX_FAILURES, DEFAULT_MAX_NEW_FIELDS, type ImportFlags } from '../flags/import-flags.ts';
import {
  FIELDS_WITHOUT_FLAG,
  LIST_FIELDS,
  MAPPING_FILE_FIELDS,
  MAY_BE_IGNORED,
  type MappingCommand,
} from './mapping-fields.ts';

interface MappingUse extends Pick<Invocation<Partial<ImportFlags>>, 'context' | 'flags' | 'argv' | 'isTyped'> {
  readonly file: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/**
 * Throws if the file has a field for which this command has no flag, unless the field may be ignored. If svc used such
 * a field, it could suppress people (C5). If svc ignored it, it could write to another audience than the file says.
 */
export function refuseFieldsOfOthers(command: MappingCommand, mapping: MappingUse): void {
  const wrong = Object.entries(FIELDS_WITHOUT_FLAG[command]).find(
    ([name, why]) => why !== MAY_BE_IGNORED && name in mapping.file,
  );
  if (wrong) {
    const [name, why] = wrong;
    const message = `--mapping ${terminalSafe(mapping.path)}: "${name}" does not apply to ${command}: ${why}`;
    throw new SvcError(EXIT.usage, 'mapping', message, {
      hint: `Delete it from the file, or give the other answers as flags:\n${lineWithoutMapping(command, mapping)}`,
    });
  }
}

// The defaults of fields that every saved mapping has. The new command line leaves out a field with its default.
const DEFAULTS: Readonly<Record<string, unknown>> = {
  from: 'auto',
  empty: 'keep',
  duplicates: 'merge',
  max_failures: DEFAULT_MAX_FAILURES,
  max_new_fields: DEFAULT_MAX_NEW_FIELDS,
};

/** The command line without --mapping, in which flags replace the values of the file. */
function lineWithoutMapping(command: MappingCommand, { file, argv, flags, isTyped, context }: MappingUse): string {
  const words = Object.entries(MAPPING_FILE_FIELDS).flatMap(([name, flag]) => {
    const isList = LIST_FIELDS.includes(name);
    // A mapping file that was written by hand may have only some of the fields.
    const saysNothing = file[name] === undefined || file[name] === DEFAULTS[name];
    const isLeftOut = saysNothing || name in FIELDS_WITHOUT_FLAG[command] || (isTyped(flag) && !isList);
    const typed = (flags[flag] as readonly string[] | undefined) ?? [];
    const value = isLeftOut ? false : isList ? valuesNotReplaced(flag, file[name] as string[], typed) : file[name];
    const word = `--${name.replaceAll('_', '-')}`;
    return typeof value === 'boolean'
      ? [word].filter(() => value)
      : [value].flat().flatMap((one) => [word, String(one)]);
  });
  const typedFlags = possibleFlagsOf(argv);
  const position = typedFlags.findIndex((word) => ANSWER.test(word));
  const rest = typedFlags.slice(position).filter((word, index, all) => !isMapping(word) && all[index - 1] !== MAPPING);
  const whole = [...typedFlags.slice(0, position), ...words, ...rest, ...argv.slice(typedFlags.length)];
  return [programName(context), ...whole.map(shellWord)].join(' ');
}

const MAPPING = '--mapping';
const ANSWER = /^--(?:mapping|map|status-map|default-status|topic-value|allow-automation)(?:=|$)/;

function isMapping(word: string): boolean {
  return word === MAPPING || word.startsWith(`${MAPPING}=`);
}
