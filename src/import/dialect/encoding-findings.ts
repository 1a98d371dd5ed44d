import type { Finding, FindingExample } from '../../base/finding.ts';
import { MAYBE_ENCODED_TWICE, undoDoubleEncoding } from '../encoding/double-encoding.ts';
import type { EncodingReading } from '../encoding/encodings.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { sampleRows } from './choose-delimiter.ts';

/** The decoded beginning of a table, and how it was decoded. */
export interface DecodedBeginning {
  readonly source: TableSource;
  readonly reading: EncodingReading;
  readonly text: string;
  readonly delimiter: string | undefined;
  readonly header: readonly string[];
}

/**
 * The findings about the encoding of a table: it was guessed, it is ambiguous, words were encoded twice (`JosÃ©`), or
 * letters were lost before (`Jos�`).
 */
export function encodingFindings(beginning: DecodedBeginning): Finding[] {
  const { certainty } = beginning.reading;
  if (certainty === 'certain') {
    return [...otherEncodingFinding(beginning), ...mojibakeFinding(beginning), ...lostLettersFinding(beginning)];
  }
  return [certainty === 'ambiguous' ? ambiguousFinding(beginning) : guessedFinding(beginning)];
}

const MAX_SHOWN = 5;
const MAX_COUNTED = 1_000;

function otherEncodingFinding({ source, reading: { encoding, insteadOf } }: DecodedBeginning): Finding[] {
  const message = `${sourceLabel(source)} is in ${encoding}, so svc does not read it as ${insteadOf}`;
  const hint = `If it is ${insteadOf}, import it in a run of its own`;
  return insteadOf === undefined ? [] : [{ check: 'encoding', level: 'warn', message, hint }];
}

function mojibakeFinding(beginning: DecodedBeginning): Finding[] {
  const lines = linesOf(beginning.text);
  const file = sourceLabel(beginning.source);
  const words = findMojibake(lines, MAX_COUNTED);
  const [first] = words;
  if (!first) {
    return [];
  }
  return [
    {
      check: 'encoding',
      level: 'warn',
      message: `${file}, line ${first.line}: suspected double encoding: ${first.seen} → ${first.meant}; sent unchanged`,
      hint: 'Export the list again, or correct the text before importing it',
      examples: words.slice(0, MAX_SHOWN).map(({ line, seen }) => exampleOf(beginning, lines, { line, word: seen })),
      total: words.length,
    },
  ];
}

function lostLettersFinding(beginning: DecodedBeginning): Finding[] {
  const lines = linesOf(beginning.text);
  const found = lines.flatMap((text, index) => {
    const position = text.indexOf('\ufffd');
    return position < 0 ? [] : [{ line: index + 1, word: wordAround(text, position) }];
  });
  const examples = found.slice(0, MAX_SHOWN).map((word) => exampleOf(beginning, lines, word));
  const [first] = examples;
  if (first === undefined) {
    return [];
  }
  const column = first.column === undefined ? '' : `, column "${first.column}"`;
  return [
    {
      check: 'encoding',
      level: 'warn',
      message: `${first.file}, line ${first.line}${column}: another program lost letters before: ${first.value}; sent unchanged`,
      hint: 'Export the list again in UTF-8, or correct the text before importing it',
      examples,
      total: found.length,
    },
  ];
}

function guessedFinding(beginning: DecodedBeginning): Finding {
  const { source, reading } = beginning;
  const words = foreignWords(beginning);
  return {
    check: 'encoding',
    level: 'warn',
    message: `${sourceLabel(source)} is not UTF-8; read as ${reading.encoding}${exampleText(words.examples)}`,
    hint: 'If these words are wrong, name the encoding: --encoding macintosh, windows-1250, …',
    ...words,
  };
}

// The finding about an encoding that is not certain. It shows how each possible encoding reads one cell. A user who
// knows the name in this cell can choose.
function ambiguousFinding(beginning: DecodedBeginning): Finding {
  const { source, reading } = beginning;
  const choices = (reading.choices ?? []).map(({ encoding, text }) => ({ encoding, cells: text.split('\n') }));
  const [first, second] = choices;
  const differing = (first?.cells ?? []).flatMap((cell, index) => (cell === second?.cells[index] ? [] : [index]));
  const shown = differing.find((index) => first?.cells[index]?.includes('@')) ?? differing[0] ?? 0;
  const readings = choices.map(({ encoding, cells }) => ({ encoding, seen: JSON.stringify(shorten(cells[shown])) }));
  const [likeliest, ...otherwise] = readings.map(({ encoding, seen }) => ({
    when: `If it reads ${seen}`,
    flags: `--encoding ${encoding}`,
  }));
  return {
    check: 'encoding',
    level: 'stop',
    message: `${sourceLabel(source)} is not UTF-8, and its encoding is not certain: ${readings.map(({ encoding, seen }) => `${encoding} reads ${seen}`).join(', ')}`,
    hint: likeliest?.flags,
    when: likeliest?.when,
    otherwise,
    ...foreignWords(beginning),
  };
}

const LONGEST_SHOWN = 60;

function shorten(cell = ''): string {
  return cell.length > LONGEST_SHOWN ? `${cell.slice(0, LONGEST_SHOWN)}…` : cell;
}

function exampleText(examples: readonly FindingExample[]): string {
  return examples[0] ? ` (${examples[0].value})` : '';
}

// Examples of words with a character beyond ASCII, and the number of lines with such a word, in the beginning of the
// table.
function foreignWords(beginning: DecodedBeginning): { readonly examples: FindingExample[]; readonly total: number } {
  const lines = linesOf(beginning.text);
  const words = lines.map((text, index) => ({ line: index + 1, word: foreignWord(text) }));
  const found = words.filter(({ word }) => word !== '');
  return { examples: found.slice(0, MAX_SHOWN).map((word) => exampleOf(beginning, lines, word)), total: found.length };
}

function linesOf(text: string): string[] {
  return text.split(/\r?\r\n|\n|\r/);
}

interface FoundWord {
  readonly line: number;
  readonly word: string;
}

function exampleOf(beginning: DecodedBeginning, lines: readonly string[], { line, word }: FoundWord): FindingExample {
  const column = columnOf(beginning, lines[line - 1] ?? '', word);
  return { file: sourceLabel(beginning.source), line, ...(column !== undefined && { column }), value: word };
}

// The header of the column that contains this word. `text` is the line with the word. Undefined if the line is not a
// complete row.
function columnOf({ delimiter, header }: DecodedBeginning, text: string, word: string): string | undefined {
  const cells = sampleRows(text, true, delimiter)[0]?.cells ?? [];
  const column = header[cells.findIndex((cell) => cell.includes(word))];
  return cells.length === header.length && column !== '' ? column : undefined;
}

/** A word that was encoded twice, and what was meant: `JosÃ©` and `José`. */
interface Mojibake {
  readonly line: number;
  readonly seen: string;
  readonly meant: string;
}

/** Finds words that were encoded twice. At most `maxWords` words; lines count from 1. */
function findMojibake(lines: readonly string[], maxWords: number): Mojibake[] {
  const found: Mojibake[] = [];
  for (const [index, text] of lines.entries()) {
    for (const { index: position } of text.matchAll(MAYBE_ENCODED_TWICE)) {
      const seen = wordAround(text, position);
      const meant = undoDoubleEncoding(seen);
      if (meant !== undefined && found.length < maxWords) {
        found.push({ line: index + 1, seen, meant });
      }
    }
  }
  return found;
}

// A cell may be 1 MiB long, but messages show only short words.
const MAX_CHARACTERS = 40;

/** The word around `position`, up to the next blank or delimiter, and at most 40 characters on each side. */
function wordAround(text: string, position: number): string {
  const before = /[^\s,;|"]*$/.exec(text.slice(Math.max(0, position - MAX_CHARACTERS), position))?.[0] ?? '';
  const after = /^[^\s,;|"]*/.exec(text.slice(position, position + MAX_CHARACTERS))?.[0] ?? '';
  return before + after;
}

/** The first word with a character beyond ASCII. Empty if there is none. */
function foreignWord(text: string): string {
  const position = text.search(/[^\0-\x7f]/);
  return position === -1 ? '' : wordAround(text, position);
}
