import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { EXIT, type ExitCode, errorCode, SvcError, worstExitCode } from '../../../base/lib/errors.ts';
import { isRecord } from '../../../base/lib/json.ts';
import { shellWord, terminalSafe } from '../../../base/lib/text.ts';
import type { UserId } from '../../../base/os/ownership.ts';
import { writeOutputFile } from '../../../base/os/user-named-file.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { parseJsonFile } from '../../framework/json-file.ts';
import { possibleFlagsOf, programName } from '../../framework/output/command-to-paste.ts';
import { whyUnreadable } from '../../framework/stdin.ts';
import { DEFAULT_MAX_FAILURES, DEFAULT_MAX_NEW_FIELDS, type ImportFlags } from '../import-flags.ts';
import { joinValues } from './answer-pairs.ts';
import {
  FIELDS_WITHOUT_FLAG,
  LIST_FIELDS,
  MAPPING_FILE_FIELDS,
  MAY_BE_IGNORED,
  type MappingCommand,
} from './mapping-fields.ts';

const TYPES: Readonly<Record<string, string>> = { max_new_fields: 'number', allow_joined_files: 'boolean' };

/**
 * Adds the values of the --mapping file to the flags. A typed flag wins over the file. Lists of values are joined, and
 * a typed pair replaces the pairs of the file about the same column, word or input.
 */
export function withMapping<F extends Partial<ImportFlags>>(
  invocation: Pick<Invocation<F>, 'flags' | 'context' | 'line' | 'isTyped'>,
  command: MappingCommand,
): F {
  const { flags, context, isTyped } = invocation;
  if (flags.mapping === undefined) {
    return flags;
  }
  const path = resolve(context.cwd, flags.mapping);
  const file = readMapping(path);
  refuseFieldsOfOthers(command, { ...invocation, file, path });
  const answers: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(MAPPING_FILE_FIELDS)) {
    const stored = file[name];
    if (stored !== undefined && LIST_FIELDS.includes(name)) {
      answers[flag] = joinValues(flag, stored as string[], (flags[flag] as readonly string[] | undefined) ?? []);
    } else if (stored !== undefined && !isTyped(flag)) {
      answers[flag] = stored;
    }
  }
  return { ...flags, ...answers };
}

/** Adds the answers at the terminal to the flags. A typed flag wins over an answer; lists of values are joined. */
export function withAnswers<F extends Partial<ImportFlags>>(
  flags: F,
  answers: Partial<ImportFlags>,
  isTyped: (name: string) => boolean,
): F {
  const added = Object.entries(answers).map(([name, value]): [string, unknown] => {
    const typedValue = flags[name as keyof ImportFlags];
    if (Array.isArray(value)) {
      return [name, joinValues(name, (typedValue as readonly string[] | undefined) ?? [], value)];
    }
    return [name, isTyped(name) ? typedValue : value];
  });
  return { ...flags, ...Object.fromEntries(added) };
}

/**
 * Writes the flags to the file of --save-mapping, if the user gave it. If the file can't be written, throws. The exit
 * code is then `exit` (that of the run) or 2, whichever is worse.
 */
export function saveMappingIfAsked(
  { cwd, platform }: Context,
  flags: Partial<ImportFlags>,
  exit: ExitCode = EXIT.ok,
): void {
  if (flags.saveMapping === undefined) {
    return;
  }
  try {
    saveMapping(resolve(cwd, flags.saveMapping), flags, platform.user);
  } catch (cause) {
    const root = cause instanceof SvcError ? cause.cause : cause;
    const why = root instanceof Error ? `: ${root.message}` : '';
    throw new SvcError(
      worstExitCode([exit, EXIT.usage]),
      'mapping_unwritable',
      `the mapping can't be written to ${terminalSafe(flags.saveMapping)}${why}`,
      {
        hint: 'The run itself is done; see its report. Name another file with --save-mapping next time.',
        cause,
      },
    );
  }
}

/** Writes flags to a mapping file, so that later commands can use them without questions, for example in cron. */
function saveMapping(path: string, flags: Partial<ImportFlags>, user: UserId): void {
  const answers = Object.entries(MAPPING_FILE_FIELDS).map(([name, flag]) => [name, flags[flag]] as const);
  const savedAnswers = Object.fromEntries(answers.filter(([, value]) => value !== undefined));
  writeOutputFile(path, `${JSON.stringify(savedAnswers, null, 2)}\n`, user);
}

function readMapping(path: string): Readonly<Record<string, unknown>> {
  const record = parse(path);
  for (const [name, value] of Object.entries(record)) {
    if (!Object.hasOwn(MAPPING_FILE_FIELDS, name)) {
      throw invalidMappingError(
        path,
        `"${terminalSafe(name)}" is not a field of a mapping; there are ${Object.keys(MAPPING_FILE_FIELDS).join(', ')}`,
      );
    }
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    const isSingle =
      typeof value === (TYPES[name] ?? 'string') || (name === 'max_new_fields' && typeof value === 'string');
    if (LIST_FIELDS.includes(name) ? !isList : !isSingle) {
      throw invalidMappingError(path, `${name} takes ${LIST_FIELDS.includes(name) ? 'a list of texts' : 'one value'}`);
    }
  }
  return record;
}

function parse(path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJsonFile(readFileSync(path));
  } catch (cause) {
    throw invalidMappingError(
      path,
      errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it can't be read as JSON: ${whyUnreadable(cause)}`,
      cause,
    );
  }
  if (!isRecord(value)) {
    throw invalidMappingError(path, 'it holds no JSON object');
  }
  return { ...value };
}

function invalidMappingError(path: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'mapping', `--mapping ${terminalSafe(path)}: ${why}`, {
    hint: '--save-mapping <file> writes one. See: svc help mapping',
    cause,
  });
}

interface MappingUse extends Pick<Invocation<unknown>, 'context' | 'line' | 'isTyped'> {
  readonly file: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/**
 * Throws for a field without a flag of this command. svc could suppress people if it used such a field (C5), and write
 * to another audience if it ignored it.
 */
function refuseFieldsOfOthers(command: MappingCommand, mapping: MappingUse): void {
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

// The defaults of fields that every saved mapping has. A field with its default is never refused.
const DEFAULTS: Readonly<Record<string, unknown>> = {
  from: 'auto',
  empty: 'keep',
  duplicates: 'merge',
  max_failures: DEFAULT_MAX_FAILURES,
  max_new_fields: DEFAULT_MAX_NEW_FIELDS,
};

/** The command line without --mapping, in which flags replace the values of the file. */
function lineWithoutMapping(command: MappingCommand, { file, line, isTyped, context }: MappingUse): string {
  const words = Object.entries(MAPPING_FILE_FIELDS).flatMap(([name, flag]) => {
    const isOverruled = isTyped(flag) && !LIST_FIELDS.includes(name);
    const value =
      file[name] === DEFAULTS[name] || name in FIELDS_WITHOUT_FLAG[command] || isOverruled ? false : file[name];
    const word = `--${name.replaceAll('_', '-')}`;
    return typeof value === 'boolean'
      ? [word].filter(() => value)
      : [value].flat().flatMap((one) => [word, String(one)]);
  });
  const typedFlags = possibleFlagsOf(line);
  // If two flags answer the same question, the later one counts. So the flags from the file come before the typed ones.
  const position = typedFlags.findIndex((word) => ANSWER.test(word));
  const rest = typedFlags.slice(position).filter((word, index, all) => !isMapping(word) && all[index - 1] !== MAPPING);
  const whole = [...typedFlags.slice(0, position), ...words, ...rest, ...line.slice(typedFlags.length)];
  return [programName(context), ...whole.map(shellWord)].join(' ');
}

const MAPPING = '--mapping';
const ANSWER = /^--(?:mapping|map|status-map|default-status|topic-value|allow-automation)(?:=|$)/;

function isMapping(word: string): boolean {
  return word === MAPPING || word.startsWith(`${MAPPING}=`);
}
