import type { InputReading } from '../import/survey-types.ts';
import type { ColumnTarget } from '../import/types.ts';
import type { ReportInput } from '../migrate/types.ts';

/** An input as a plan shows it; what goes beyond the report is optional, so that the report's own inputs do as well. */
export interface PlanInput extends ReportInput {
  /** How the platform was found: `recognised`, `as --from says`. */
  readonly recognised?: string;
  /** Where the state of a row comes from: `file name`, `column "Status"`. */
  readonly stateFrom?: string;
  /** Header as written, and what it becomes. */
  readonly columns?: readonly { readonly header: string; readonly target: string }[];
}

/** What a plan shows of a reading. `from` is what --from says. */
export function planInput(reading: InputReading, from: string): PlanInput {
  const { path, entry, sha256, platform, dialect, rows } = reading;
  return {
    path,
    ...(entry === undefined ? {} : { entry }),
    sha256,
    platform,
    encoding: dialect.encoding,
    delimiter: dialect.delimiter ?? null,
    ...(dialect.quoting && { quote: dialect.quoting.quote ?? null, escape: dialect.quoting.escape }),
    rows,
    recognised: from === 'auto' ? (platform === 'generic' ? 'no platform recognised' : 'recognised') : 'as --from says',
    ...(reading.reading.stateFrom === undefined ? {} : { stateFrom: reading.reading.stateFrom }),
    columns: reading.reading.columns.flatMap((target, at) => {
      const name = targetName(target);
      return name === undefined ? [] : [{ header: dialect.header[at] ?? `column ${at + 1}`, target: name }];
    }),
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
