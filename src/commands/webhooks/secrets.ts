import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { whyUnreadable } from '../framework/read-bytes.ts';

/** The signing secrets in the files named, without the blanks and newlines around them. At least one is needed. */
export function readSecrets(paths: readonly string[] | undefined, { cwd, hide }: Context): string[] {
  if (paths === undefined) {
    throw refuse(
      '--secret-file is missing',
      'The file that svc webhooks create wrote, or one with the secret from the app.',
    );
  }
  const secrets = paths.map((path) => readSecret(path, cwd));
  secrets.forEach((secret) => hide(secret, '[secret]'));
  return secrets;
}

function readSecret(path: string, cwd: string): string {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path), 'utf8');
  } catch (cause) {
    throw refuse(`--secret-file ${safe(path)} can't be read`, whyUnreadable(cause));
  }
  const secret = text.trim();
  if (secret === '') {
    throw refuse(
      `--secret-file ${safe(path)} is empty`,
      'An empty file is what an unfinished svc webhooks create leaves.',
    );
  }
  return secret;
}

function refuse(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'secret_file', message, { hint });
}
