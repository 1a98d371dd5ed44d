import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { parseJson } from '../../base/lib/json.ts';
import { shellWord } from '../../base/lib/text.ts';

/** Arguments of a tool, as typed. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Reads `--arguments`. Throws SvcError for anything but a JSON object. */
export function readArguments(text: string): Arguments {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SvcError(EXIT.usage, 'invalid_arguments', '--arguments takes a JSON object', {
      hint: `Such as: --arguments '{"limit":10}'`,
    });
  }
  return value as Arguments;
}

/** The command that enrols whom these arguments name. */
export function enrollLine({ automation_id, email }: Arguments): string {
  const flow = typeof automation_id === 'string' ? shellWord(automation_id) : '<automation_id>';
  const person = typeof email === 'string' ? shellWord(email) : '<address>';
  return `svc automations enroll ${flow} --email ${person}`;
}
