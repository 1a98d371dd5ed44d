import type { InputReading } from '../../import/survey/survey-types.ts';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { ReportInput, ReportState } from './run-report.ts';

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

function notesOf({ notes, reading, dialect }: InputReading): NonNullable<ReportInput['notes']> {
  const own = Math.max(0, dialect.header.length - reading.columns.length);
  return notes.map(({ at, values }) => ({ column: dialect.header[at + own] || String(at + 1), values }));
}

function columnsOf({ reading, dialect }: InputReading): NonNullable<ReportInput['columns']> {
  // Columns that svc wrote are on the left of a rejects file and are no data.
  const own = Math.max(0, dialect.header.length - reading.columns.length);
  return reading.columns.flatMap((target, at) => {
    const name = targetName(target);
    return name === undefined ? [] : [{ header: dialect.header[at + own] ?? `column ${at + 1}`, target: name }];
  });
}

function stateOf({ reading, dialect, values }: InputReading): ReportState | undefined {
  const own = Math.max(0, dialect.header.length - reading.columns.length);
  return reading.stateFrom === undefined
    ? undefined
    : {
        from: reading.stateFrom,
        columns: [...values].map(([at, counts]) => ({
          column: dialect.header[at + own] || String(at + 1),
          values: [...counts.values()]
            .filter(({ rows }) => rows > 0)
            .toSorted((one, other) => other.rows - one.rows)
            .map(({ value, rows, states }) => ({ value, rows, states: Object.fromEntries(states) })),
        })),
      };
}

function targetName(target: ColumnTarget): string | undefined {
  switch (target.kind) {
    case 'attribute':
      return `attributes.${target.key}`;
    case 'topic':
      return `topics.${target.topic}`;
    case 'state_part':
      return 'state';
    case 'svc':
      return undefined;
    case 'ignore':
      return 'not sent';
    default:
      return target.kind;
  }
}
