import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context, UserId } from '../../../base/context.ts';
import { EXIT, type ExitCode, errorCode, SvcError, worstExitCode } from '../../../base/lib/errors.ts';
import { isRecord } from '../../../base/lib/json.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { writeOutputFile } from '../../../base/os/user-named-file.ts';
import { joinValues, valuesNotReplaced } from '../../../import/mapping/answers/answer-pairs.ts';
import { numberedColumns } from '../../../import/mapping/answers/numbered-columns.ts';
import { findInputs } from '../../../import/source/input-copies.ts';
import { openInputs } from '../../../import/source/open-inputs.ts';
import type { TableSource } from '../../../import/source/source.ts';
import { openTables } from '../../../import/tables/open-tables.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { parseJsonFile } from '../../framework/json-file.ts';
import { whyUnreadable } from '../../framework/stdin.ts';
import type { ImportFlags } from '../flags/import-flags.ts';
import { readingOptions } from '../flags/import-options.ts';
import { refuseFieldsOfOthers } from './fields-of-others.ts';
import { LIST_FIELDS, MAPPING_FILE_FIELDS, type MappingCommand } from './mapping-fields.ts';
import { answersWithColumns, maySubscribeAnywhere } from './saved-columns.ts';
import { answersForSeenWords, subscribesAllWords } from './saved-words.ts';

const TYPES: Readonly<Record<string, string>> = { max_new_fields: 'number', allow_joined_files: 'boolean' };

/**
 * Adds the values of the --mapping file to the flags. A typed flag wins over the file. Lists of values are joined, and
 * a typed pair replaces the pairs of the file about the same column, word or input.
 */
export function withMapping<F extends Partial<ImportFlags>>(
  invocation: Pick<Invocation<F>, 'flags' | 'context' | 'argv' | 'isTyped'>,
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
  const { status_map: savedStatusMap = [] } = file;
  // A saved answer for all words does not count for words that may mean that a person left. If the user typed the
  // answer, it counts for these words too.
  const saved = valuesNotReplaced(
    'statusMap',
    (savedStatusMap as readonly string[]).filter(subscribesAllWords),
    flags.statusMap ?? [],
  );
  return {
    ...flags,
    ...answers,
    savedColumns: file[SAVED_COLUMNS],
    ...(saved.length > 0 && { savedForAllWords: saved }),
  };
}

/** The field of a mapping file with the headers of the columns that answers name by number. It has no flag. */
const SAVED_COLUMNS = 'columns';

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
  const { savedForAllWords } = flags;
  const stillSaved = savedForAllWords && {
    savedForAllWords: valuesNotReplaced('statusMap', savedForAllWords, answers.statusMap ?? []),
  };
  return { ...flags, ...Object.fromEntries(added), ...stillSaved };
}

/**
 * Writes the flags to the file of --save-mapping, if the user gave it. If the file can't be written, throws. The exit
 * code is then `exit` (that of the run) or 2, whichever is worse.
 */
export async function saveMappingIfAsked(
  context: Context,
  inputs: readonly string[],
  flags: Partial<ImportFlags>,
  exit: ExitCode = EXIT.ok,
): Promise<void> {
  if (flags.saveMapping === undefined) {
    return;
  }
  try {
    const list = await openForSaving(inputs, context.cwd);
    const saved = await withColumns(list, await withSeenWords(list, flags, context), context);
    const columns = await columnsOf(list, saved, context);
    saveMapping(resolve(context.cwd, flags.saveMapping), { flags: saved, columns }, context.platform.user);
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

interface SavedMapping {
  readonly flags: Partial<ImportFlags>;
  readonly columns: readonly string[];
}

// The columns that the answers name by number. If the list comes from standard input, svc can't read it again. Then it
// takes the columns that the file of --mapping has. If there are none, a note says what is missing (C1).
async function columnsOf(
  sources: readonly TableSource[] | undefined,
  flags: Partial<ImportFlags>,
  { stderr }: Context,
): Promise<readonly string[]> {
  const blanks = (flags.allowBlanks ?? []).map((column) => `${column}:`);
  const named = [...(flags.map ?? []), ...(flags.statusMap ?? []), ...(flags.topicValue ?? []), ...blanks];
  if (!named.some((pair) => /(?:^|:)[1-9]\d*[:=]/.test(pair))) {
    return [];
  }
  if (sources === undefined) {
    const saved = flags.savedColumns ?? [];
    saved.length > 0 || stderr.write(NO_COLUMNS);
    return saved;
  }
  const { tables } = await openTables(sources, readingOptions(flags as ImportFlags));
  return numberedColumns(tables);
}

// Opens the inputs once more. Undefined if one of them is standard input or a pipe, which can't be read again.
async function openForSaving(inputs: readonly string[], cwd: string): Promise<readonly TableSource[] | undefined> {
  const files = await findInputs(inputs, cwd);
  return files.some(({ isStream }) => isStream)
    ? undefined
    : openInputs(files.map(({ path }) => ({ path, diskPath: resolve(cwd, path) })));
}

// For an answer to all other words, such as `Notes:*=subscribed`, adds an answer to each of these words in this list
// that may mean that a person left. If the words can't be saved, a note says so.
async function withSeenWords(
  sources: readonly TableSource[] | undefined,
  flags: Partial<ImportFlags>,
  { stderr, signal }: Context,
): Promise<Partial<ImportFlags>> {
  const statusMap = flags.statusMap ?? [];
  if (!statusMap.some(subscribesAllWords)) {
    return flags;
  }
  const seen = sources && (await answersForSeenWords(sources, readingOptions(flags as ImportFlags), signal));
  seen === undefined && stderr.write(NO_WORDS);
  return { ...flags, statusMap: [...statusMap, ...(seen ?? [])] };
}

// Replaces each answer such as `left=subscribed`, which names no column, by answers for the columns in which its word
// stands. If the list can't be read again, a note says what is missing (C1).
async function withColumns(
  sources: readonly TableSource[] | undefined,
  flags: Partial<ImportFlags>,
  { stderr, signal }: Context,
): Promise<Partial<ImportFlags>> {
  const { statusMap = [] } = flags;
  if (!statusMap.some(maySubscribeAnywhere)) {
    return flags;
  }
  if (sources === undefined) {
    statusMap.some((pair) => maySubscribeAnywhere(pair) && !pair.includes(':') && !subscribesAllWords(pair)) &&
      stderr.write(NO_COLUMN_OF_WORD);
    return flags;
  }
  return { ...flags, statusMap: await answersWithColumns(sources, readingOptions(flags as ImportFlags), signal) };
}

const NO_COLUMN_OF_WORD =
  "The saved mapping has answers that say subscribed and name no column. svc can't read standard input again to get their columns. So these answers also count in a column that a later list adds. Save the mapping from a file, or name the column: --status-map 'Status:in=subscribed'.\n";

const NO_WORDS =
  'The saved mapping has no answer for each word that may mean that a person left, because they are too many or come from a pipe. So svc asks about these words again.\n';

const NO_COLUMNS =
  "The saved mapping names columns by number, but svc can't read standard input again to get their headers. So it will not notice if these columns move. Save the mapping from a file, or name the columns by their headers.\n";

/** Writes flags to a mapping file, so that later commands can use them without questions, for example in cron. */
function saveMapping(path: string, { flags, columns }: SavedMapping, user: UserId): void {
  const answers = Object.entries(MAPPING_FILE_FIELDS).map(([name, flag]) => [name, flags[flag]] as const);
  const savedAnswers = Object.fromEntries(answers.filter(([, value]) => value !== undefined));
  const saved = columns.length > 0 ? { ...savedAnswers, [SAVED_COLUMNS]: columns } : savedAnswers;
  writeOutputFile(path, `${JSON.stringify(saved, null, 2)}\n`, user);
}

function readMapping(path: string): Readonly<Record<string, unknown>> {
  const record = parse(path);
  for (const [name, value] of Object.entries(record)) {
    const isColumns = name === SAVED_COLUMNS;
    if (!isColumns && !Object.hasOwn(MAPPING_FILE_FIELDS, name)) {
      throw invalidMappingError(
        path,
        `"${terminalSafe(name)}" is not a field of a mapping; there are ${Object.keys(MAPPING_FILE_FIELDS).join(', ')}`,
      );
    }
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    const isSingle =
      typeof value === (TYPES[name] ?? 'string') || (name === 'max_new_fields' && typeof value === 'string');
    const takesList = isColumns || LIST_FIELDS.includes(name);
    if (takesList ? !isList : !isSingle) {
      throw invalidMappingError(path, `${name} takes ${takesList ? 'a list of texts' : 'one value'}`);
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
