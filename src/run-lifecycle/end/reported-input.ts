import { headerOf, type InputReading } from '../../import/survey/survey-types.ts';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import { stateSourceOf } from '../../platforms/lib/state-columns.ts';
import type { ReportInput, ReportState } from '../data/run-report.ts';

export function reportInput(input: InputReading): ReportInput {
  const { path, entry, sha256, platform, dialect, rows } = input;
  const state = stateOf(input);
  return {
    path,
    ...(entry === undefined ? {} : { entry }),
    sha256,
    platform,
    encoding: dialect.encoding,
    delimiter: dialect.delimiter ?? null,
    ...(dialect.quoting && { quote: dialect.quoting.quote ?? null, escape: dialect.quoting.escape }),
    rows,
    columns: columnsOf(input),
    ...(state && { state }),
    ...(input.notes.length > 0 && { notes: notesOf(input) }),
  };
}

function notesOf(input: InputReading): NonNullable<ReportInput['notes']> {
  const header = headerOf(input);
  return input.notes.map(({ index, values }) => ({ column: header[index] || String(index + 1), values }));
}

function columnsOf(input: InputReading): NonNullable<ReportInput['columns']> {
  const header = headerOf(input);
  return input.reading.columns.map((target, index) => ({
    header: header[index] ?? `column ${index + 1}`,
    target: targetName(target),
  }));
}

function stateOf(input: InputReading): ReportState | undefined {
  const { reading, values } = input;
  const header = headerOf(input);
  const from = stateSourceOf(reading);
  return from === undefined
    ? undefined
    : {
        from,
        columns: [...values].map(([index, counts]) => ({
          column: header[index] || String(index + 1),
          values: [...counts.values()]
            .filter(({ rows }) => rows > 0)
            .toSorted((one, other) => other.rows - one.rows)
            .map(({ value, rows, states }) => ({ value, rows, states: Object.fromEntries(states) })),
        })),
      };
}

function targetName(target: ColumnTarget): string {
  switch (target.kind) {
    case 'attribute':
      return `attributes.${target.key}`;
    case 'topic':
      return `topics.${target.topic}`;
    case 'state_part':
      return 'state';
    case 'ignore':
      return 'not sent';
    default:
      return target.kind;
  }
}
