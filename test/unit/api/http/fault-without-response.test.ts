import { describe, expect, test } from 'vitest';
import { faultWithoutResponse } from '../../../../src/api/http/no-response.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';

const keepText = (text: string) => text;

const NAME_SERVER =
  "The name server doesn't answer: check this machine's network and DNS, and --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.";
const NO_HOST = 'No such host: check --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.';
const NO_PROGRAM =
  'No program listens at that host and port: check both in --base-url (or SVC_BASE_URL), and HTTPS_PROXY.';
const OUT_OF_DATE =
  "The server's certificate is out of date, or this machine's clock is wrong: check both, and --base-url (or SVC_BASE_URL).";
const OTHER_NAME = 'The certificate is for another name: check the host in --base-url (or SVC_BASE_URL).';
const NO_TRUST =
  "This machine doesn't trust the server's certificate: check --base-url (or SVC_BASE_URL). For a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem";
const NO_TLS =
  'The server does not speak TLS on that port, or no version that svc knows: check scheme and port of --base-url (or SVC_BASE_URL), and HTTPS_PROXY.';

type Row = readonly [code: string, mayHaveArrived: boolean, isRetryable: boolean, hint: string | undefined];

const CODES: readonly Row[] = [
  // The connection failed.
  ['EAI_AGAIN', false, true, NAME_SERVER],
  ['ENOTFOUND', false, false, NO_HOST],
  ['ECONNREFUSED', false, true, NO_PROGRAM],
  ['EHOSTUNREACH', false, true, undefined],
  ['ENETUNREACH', false, true, undefined],
  ['UND_ERR_CONNECT_TIMEOUT', false, true, undefined],
  // The certificate was rejected.
  ['CERT_HAS_EXPIRED', false, false, OUT_OF_DATE],
  ['CERT_NOT_YET_VALID', false, false, OUT_OF_DATE],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false, false, OTHER_NAME],
  ['HOSTNAME_MISMATCH', false, false, OTHER_NAME],
  ['CERT_REVOKED', false, false, NO_TRUST],
  ['CRL_HAS_EXPIRED', false, false, NO_TRUST],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false, false, NO_TRUST],
  ['SELF_SIGNED_CERT_IN_CHAIN', false, false, NO_TRUST],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, false, NO_TRUST],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', false, false, NO_TRUST],
  ['ERROR_IN_CRL_NEXT_UPDATE_FIELD', false, false, NO_TRUST],
  ['INVALID_CA', false, false, NO_TRUST],
  ['INVALID_PURPOSE', false, false, NO_TRUST],
  ['PATH_LENGTH_EXCEEDED', false, false, NO_TRUST],
  // The connection was open, or may have been.
  ['EPROTO', true, false, NO_TLS],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true, false, NO_TLS],
  ['ERR_TLS_PROTOCOL_VERSION_CONFLICT', true, false, NO_TLS],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', true, true, undefined],
  ['ECONNRESET', true, true, undefined],
  ['EPIPE', true, true, undefined],
  ['ETIMEDOUT', true, true, undefined],
  ['UND_ERR_SOCKET', true, true, undefined],
  // These texts only contain a code of the lists above, and are no code.
  ['EPROTONOSUPPORT', true, true, undefined],
  ['HOSTNAME_MISMATCHED', true, true, undefined],
  ['INVALID_CALL', true, true, undefined],
  ['INVALID_PURPOSES', true, true, undefined],
  ['PATH_LENGTH_EXCEEDED_TWICE', true, true, undefined],
  ['X_CERT_HAS_EXPIRED', true, true, undefined],
  ['', true, true, undefined],
];

describe('an attempt without a response', () => {
  test.each(CODES)('classifies error %j: may have arrived %s, retryable %s (I2, O2)', (code, arrived, repeat, hint) => {
    const cause = Object.assign(new Error('it failed'), code && { code });
    const text = code ? `${code}: it failed` : 'it failed';
    const fault = faultWithoutResponse(cause, keepText, false);
    expect(fault).toStrictEqual({
      kind: 'fault',
      error: expect.any(Error),
      meta: { status: undefined, replayed: false, requestId: undefined, retryAfterMs: undefined },
      mayHaveReachedService: arrived,
      isRetryable: repeat,
    });
    const { error } = fault;
    expect({ ...error, message: error.message }).toMatchObject({
      exit: EXIT.failed,
      code: 'no_answer',
      message: `no answer from the service: ${text}`,
    });
    expect([error.hint, error.cause]).toEqual([hint, text]);
    // If the host responded before, the settings are right.
    expect(faultWithoutResponse(cause, keepText, true).isRetryable).toBe(true);
  });

  test.each([
    ['connect', false],
    ['getaddrinfo', false],
    ['read', true],
    ['write', true],
  ])('says whether a request may have arrived when %s fails: %s (I2)', (syscall, arrived) => {
    const failures = ['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND'].map((code) => ({ code, syscall }));
    const wrapped = failures.map((parts) => new Error('outer', { cause: Object.assign(new Error('inner'), parts) }));
    const faults = [...failures, ...wrapped].map((cause) => faultWithoutResponse(cause, keepText, false));
    expect(faults.map(({ mayHaveReachedService }) => mayHaveReachedService)).toEqual(faults.map(() => arrived));
  });

  test.each<[what: string, cause: unknown, text: string]>([
    [
      'an error with its code in the message',
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      'read ECONNRESET',
    ],
    ['an error with a code below it', new Error('fetch failed', { cause: { code: 'EPIPE' } }), 'EPIPE: fetch failed'],
    ['a code two levels below', new Error('a', { cause: new Error('b', { cause: { code: 'EPIPE' } }) }), 'EPIPE: a'],
    [
      'the first of two codes',
      Object.assign(new Error('a', { cause: { code: 'EPIPE' } }), { code: 'EPROTO' }),
      'EPROTO: a',
    ],
    ['a code that is a number', Object.assign(new Error('a'), { code: 7 }), 'a'],
    ['a text', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
  ])('names the cause in the message: %s (O2)', (_, cause, text) => {
    expect(faultWithoutResponse(cause, keepText, false).error.message).toBe(`no answer from the service: ${text}`);
  });

  test('hides secrets in the message and in the cause (K1)', () => {
    const scrub = (text: string) => text.replaceAll('service_live_abc', '…');
    const { error } = faultWithoutResponse(new Error('bad header service_live_abc'), scrub, false);
    expect([error.message, error.cause]).toEqual(['no answer from the service: bad header …', 'bad header …']);
  });
});
