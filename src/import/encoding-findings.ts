import iconv from 'iconv-lite';
import type { EncodingReading } from './detect-encoding.ts';
import { labelOf } from './label.ts';
import { findMojibake } from './mojibake.ts';
import type { Finding, FindingExample, Source } from './types.ts';
import { foreignWord } from './words.ts';

/** The decoded beginning of a table, and the bytes that gave the encoding away. */
export interface ReadBeginning {
  readonly source: Source;
  readonly reading: EncodingReading;
  readonly text: string;
  readonly foreign: Buffer;
}

/** What there is to say about an encoding: one that was guessed, one that can't be told, words encoded twice. */
export function encodingFindings(beginning: ReadBeginning): Finding[] {
  const { certainty } = beginning.reading;
  if (certainty === 'certain') {
    return mojibakeFinding(beginning);
  }
  return [certainty === 'ambiguous' ? ambiguousFinding(beginning) : guessedFinding(beginning)];
}

const EXAMPLES = 3;

function mojibakeFinding({ source, text }: ReadBeginning): Finding[] {
  const file = labelOf(source);
  const words = findMojibake(text.split(/\r?\r\n|\n|\r/), EXAMPLES);
  const [first] = words;
  if (!first) {
    return [];
  }
  return [
    {
      check: 'encoding',
      level: 'warn',
      message: `${file}, line ${first.line}: suspected double encoding: ${first.seen} → ${first.meant}; sent as it stands`,
      hint: 'Export the list again, or mend the text before importing it',
      examples: words.map(({ line, seen }) => ({ file, line, value: seen })),
    },
  ];
}

function guessedFinding({ source, reading, text }: ReadBeginning): Finding {
  const examples = foreignWords(labelOf(source), text);
  return {
    check: 'encoding',
    level: 'warn',
    message: `${labelOf(source)} is not UTF-8; read as ${reading.encoding}${likeThis(examples)}`,
    hint: 'If these words are wrong, name the encoding: --encoding macintosh, windows-1250, …',
    examples,
  };
}

function ambiguousFinding({ source, reading, text, foreign }: ReadBeginning): Finding {
  const readings = ['macintosh', 'windows-1252'].map(
    (encoding) => `${encoding} reads ${JSON.stringify(foreignWord(iconv.decode(foreign, encoding)))}`,
  );
  return {
    check: 'encoding',
    level: 'stop',
    message: `${labelOf(source)} is not UTF-8, and its encoding can't be told for certain: ${readings.join(', ')}`,
    hint: `--encoding ${reading.encoding}, or --encoding ${reading.encoding === 'macintosh' ? 'windows-1252' : 'windows-1251'}`,
    examples: foreignWords(labelOf(source), text),
  };
}

function likeThis(examples: readonly FindingExample[]): string {
  return examples[0] ? ` (${examples[0].value})` : '';
}

function foreignWords(file: string, text: string): FindingExample[] {
  const lines = text.split(/\r?\r\n|\n|\r/).map((line, index) => ({ file, line: index + 1, value: foreignWord(line) }));
  return lines.filter(({ value }) => value !== '').slice(0, EXAMPLES);
}
