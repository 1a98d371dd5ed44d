import { ApiError } from '../../api/api-error.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { textsOf } from '../../render/lists/tools.ts';
import { ERRORS } from '../../wire/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a result marked as an error says, with the exit code of the service's own code where it names one. */
export function problemOf(tool: string, result: Fields): SvcError | undefined {
  if (result.isError !== true) {
    return undefined;
  }
  const [first = ''] = textsOf(result);
  const error = envelopeOf(result.structuredContent) ?? envelopeOf(parse(first));
  if (error === undefined || typeof error.code !== 'string') {
    return new SvcError(EXIT.stopped, 'tool_failed', `${tool}: ${first || 'the tool failed and says nothing'}`);
  }
  const { code } = error;
  const refusal = {
    status: statusOf(code),
    code,
    message: textOf(error.message) ?? 'the service gave no message',
    param: textOf(error.param),
    requestId: textOf(error.request_id),
  };
  return new ApiError(refusal, EXITS.get(code));
}

// The ids in the arguments are a person's; the other two are no refusals.
const EXITS: ReadonlyMap<string, ExitCode> = new Map([
  ['not_found', EXIT.usage],
  ['rate_limit_exceeded', EXIT.failed],
  ['internal_error', EXIT.failed],
]);

function envelopeOf(value: unknown): Fields | undefined {
  const error = isRecord(value) ? value.error : undefined;
  return isRecord(error) ? error : undefined;
}

/** A tool has no status; the table has one for each code. */
function statusOf(code: string): number {
  const row = Object.entries(ERRORS).find(([known]) => known === code)?.[1];
  return row?.statuses[0] ?? 400;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
