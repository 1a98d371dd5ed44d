import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { Style } from '../../render/text/style.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { readBytes, whyUnreadable } from '../framework/stdin.ts';
import { type SignatureCheck, verifySignature } from './listen/signature.ts';

/** The flags of `webhooks verify`. `tolerance` is in seconds. */
interface VerifyFlags {
  readonly secretFile?: readonly string[];
  readonly signature?: string;
  readonly payload: string;
  readonly tolerance: number;
}

export async function verifyPayload(invocation: Invocation<VerifyFlags>): Promise<ExitCode> {
  const { flags, context } = invocation;
  if (flags.signature === undefined) {
    throw badUsage('--signature is missing', 'Give the value of the Service-Signature header: --signature "t=…,v1=…"');
  }
  const header = flags.signature.replace(/^service-signature:\s*/i, '');
  const secrets = readSecrets(flags.secretFile, context);
  const body = await readBytes('--payload', flags.payload, context);
  const receiver = { secrets, now: context.clock.now(), toleranceMs: flags.tolerance * 1_000 };
  const check = verifySignature({ header, body }, receiver);
  print(invocation, jsonOf(check), (_, style) => checkText(check, style));
  return check.kind === 'verified' ? EXIT.ok : EXIT.partial;
}

function jsonOf(check: SignatureCheck): object {
  const age = 'ageMs' in check ? { age_seconds: Math.round(check.ageMs / 1_000) } : {};
  return { object: 'signature_check', verified: check.kind === 'verified', result: check.kind, ...age };
}

function checkText(check: SignatureCheck, style: Style): string {
  const words = signatureSentence(check);
  return `${check.kind === 'verified' ? style.green(words) : style.red(words)}\n`;
}

export function signatureSentence(check: SignatureCheck): string {
  switch (check.kind) {
    case 'verified':
      return 'verified: the signature matches';
    case 'malformed':
      return 'not verified: the header is not of the form t=<unix seconds>,v1=<hex>';
    case 'no_match':
      return 'not verified: no v1 matches the raw body under any of the secrets';
    case 'out_of_tolerance':
      return `not verified: the signature matches, but it was made ${formatDuration(Math.abs(check.ageMs))} ${check.ageMs < 0 ? 'in the future' : 'ago'}`;
    default:
      return check satisfies never;
  }
}

/**
 * Reads the signing secrets from the files of --secret-file, without blanks around them. Throws if the flag is missing.
 */
export function readSecrets(paths: readonly string[] | undefined, { cwd, hideSecret }: Context): string[] {
  if (paths === undefined) {
    throw secretError(
      '--secret-file is missing',
      'The file that svc webhooks create wrote, or one with the secret from the app.',
    );
  }
  const secrets = paths.map((path) => readSecret(path, cwd));
  secrets.forEach((secret) => hideSecret(secret, '[secret]'));
  return secrets;
}

function readSecret(path: string, cwd: string): string {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path), 'utf8');
  } catch (cause) {
    throw secretError(`--secret-file ${terminalSafe(path)} can't be read`, whyUnreadable(cause));
  }
  const secret = text.trim();
  if (secret === '') {
    throw secretError(
      `--secret-file ${terminalSafe(path)} is empty`,
      'An unfinished svc webhooks create leaves an empty file.',
    );
  }
  return secret;
}

function secretError(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'secret_file', message, { hint });
}
