import { describe, expect, test } from 'vitest';
import { ApiError, refuseWrongId } from '../../../src/api/http/api-error.ts';
import { EXIT } from '../../../src/base/lib/errors.ts';
import { ERRORS } from '../../../src/wire/service-words.ts';

const at = (status: number, code: string) => new ApiError({ status, code, message: 'words' });

describe('refusals', () => {
  test.each([
    [{ param: 'name', requestId: 'req_9' }, 'words (invalid_request, param name)'],
    [{}, 'words (invalid_request)'],
  ])('shows the fields %j of an error response, and its code (O9)', (more, message) => {
    const error = new ApiError({ status: 400, code: 'invalid_request', message: 'words', ...more });
    expect({ code: error.code, message: error.message, param: error.param, requestId: error.requestId }).toEqual({
      code: 'invalid_request',
      message,
      param: undefined,
      requestId: undefined,
      ...more,
    });
  });

  test('exits with 4 when the API key is refused, and with 7 otherwise (O1)', () => {
    const exits = Object.entries(ERRORS).flatMap(([code, { statuses }]) =>
      statuses.filter((status) => status < 429).map((status) => [status, code, at(status, code).exit] as const),
    );
    expect(exits.filter(([, , exit]) => exit === EXIT.auth).map(([status, code]) => `${status} ${code}`)).toEqual([
      '401 invalid_api_key',
      '401 revoked_api_key',
      '403 insufficient_scope',
      '403 test_keys_not_supported',
      '403 forbidden',
    ]);
    expect(new Set(exits.map(([, , exit]) => exit))).toEqual(new Set([EXIT.auth, EXIT.stopped]));
  });

  test('tells the user to create a new API key when a scope is missing (W2)', () => {
    expect(at(403, 'insufficient_scope').hint).toMatch('create a new key');
  });

  test('gives no hint when an error code is "constructor"', () => {
    expect(at(400, 'constructor').hint).toBeUndefined();
  });
});

describe('an id that the user gave (O8)', () => {
  test('names a wrong id and a wrong key as causes when an id is unknown', () => {
    expect(() => refuseWrongId('audience aud_1')(at(404, 'not_found'))).toThrow(
      expect.objectContaining({
        exit: EXIT.usage,
        code: 'not_found',
        message: 'audience aud_1 was not found with this key: wrong id, or the wrong key (not_found)',
      }),
    );
  });

  test.each([
    ['a 403', at(403, 'forbidden')],
    ['an error of another kind', new Error('other')],
  ])('leaves %s unchanged, because only a 404 can mean a wrong id', (_, error) => {
    expect(() => refuseWrongId('audience aud_1')(error)).toThrow(error);
  });
});
