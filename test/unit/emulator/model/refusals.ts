import { ABSENT, AnyOf, AtLeast, Matcher, SOME_TEXT } from './expectation.ts';

/** What an endpoint responds, without the headers that every response has. */
export interface Outcome {
  readonly status: number | Matcher;
  readonly body: unknown;
}

export const ok = (body: unknown, status = 200): Outcome => ({ status, body });

/** A refusal with the offending field; without one, no field is at fault. */
export function refuse(status: number, code: string, param?: string): Outcome {
  return { status, body: { error: { code, message: SOME_TEXT, param: paramOf(param), request_id: SOME_TEXT } } };
}

/** Several things are wrong, and the document doesn't say which one comes first. */
export function refuseAny(refusals: readonly Outcome[]): Outcome {
  const [only] = refusals;
  if (only !== undefined && refusals.length === 1) {
    return only;
  }
  const statuses = refusals.map(({ status }) => status);
  const isOne = (value: unknown) => statuses.includes(value as number);
  return {
    status: new Matcher(`one of ${statuses}`, isOne),
    body: new AnyOf(refusals.map(({ body }) => body)),
  };
}

export const notFound = () => refuse(404, 'not_found');
export const invalid = (param: string) => refuse(400, 'invalid_request', param);

/** A body or a header that can't be read. Whether `param` names it is open. */
export const unreadable = (): Outcome => ({
  status: 400,
  body: { error: new AtLeast({ code: 'invalid_request', message: SOME_TEXT, request_id: SOME_TEXT }) },
});

// The document shows the field only. A path below it, such as contacts[3].attributes.plan, names it as well.
function paramOf(param: string | undefined): unknown {
  if (param === undefined) {
    return ABSENT;
  }
  const isField = (value: unknown) => typeof value === 'string' && value.split(/[.[]/)[0] === param;
  return new Matcher(`the field ${param}`, isField);
}
