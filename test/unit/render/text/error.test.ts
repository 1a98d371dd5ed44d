import { expect, test } from 'vitest';
import { errorJson, errorText } from '../../../../src/render/text/error.ts';
import { createStyle } from '../../../../src/render/text/style.ts';

const whole = {
  code: 'plan_limit_reached',
  message: 'the plan is full',
  hint: 'svc runs resume run_1',
  exit_code: 7,
  request_id: 'req_1',
};
const bare = {
  code: 'usage',
  message: 'no such file: a\u001b[2J\n\u202e',
  exit_code: 2,
  hint: undefined,
  request_id: undefined,
};

test.each([
  { error: whole, text: 'svc: the plan is full\n  svc runs resume run_1\n  request id: req_1\n' },
  { error: bare, text: 'svc: no such file: a\\u001b[2J\\u000a\\u202e\n' },
])('writes the error $error.code as text with all its details (O9)', ({ error, text }) => {
  expect(errorText(error, createStyle(false, 80))).toBe(text);
});

test.each([
  {
    error: whole,
    json: '{"error":{"code":"plan_limit_reached","message":"the plan is full","hint":"svc runs resume run_1","exit_code":7,"request_id":"req_1"}}\n',
  },
  {
    error: bare,
    json: '{"error":{"code":"usage","message":"no such file: a\\u001b[2J\\n\\u202e","hint":"","exit_code":2}}\n',
  },
])('writes the error $error.code as JSON, control characters escaped (K5)', ({ error, json }) => {
  expect(errorJson(error)).toBe(json);
});

test('wraps an error so that the command in it works when pasted', () => {
  const hint =
    `Archive it in the app, or let it fire:\nsvc migrate list.csv ${'--allow-automation aut_1 '.repeat(2)}`.trim();
  const error = { code: 'x', message: 'one two three four five six seven', hint, exit_code: 5 };
  expect(errorText(error, createStyle(false, 30))).toBe(
    [
      'svc: one two three four five',
      '  six seven',
      '  Archive it in the app,',
      '  or let it fire:',
      '  svc migrate list.csv \\',
      '    --allow-automation aut_1 \\',
      '    --allow-automation aut_1',
      '',
    ].join('\n'),
  );
});
