import { createCollisionCollector, type PersonCollision } from '../mapping/collisions.ts';
import type { ContactFields } from '../record/contact-fields.ts';
import type { ParsedRow, StagedPayload } from './staged-payload.ts';

/** Merges the fields of one person's rows. For each field the last value that isn't blank wins. */
export interface FieldMerge {
  add(row: ParsedRow): void;
  result(): { readonly fields: ContactFields; readonly collisions: PersonCollision[] };
}

export function createFieldMerge(): FieldMerge {
  const collisions = createCollisionCollector();
  let fields: ContactFields = {};
  let before: StagedPayload | undefined;
  return {
    add(one) {
      const { payload } = one;
      if (payload.witness === true || payload.problem) {
        return;
      }
      // Rows with the same payload object have the same fields, so merging them again changes nothing.
      fields = payload === before ? fields : mergeFields(fields, payload.fields);
      before = payload;
      collisions.add(one);
    },
    result: () => ({ fields, collisions: collisions.found() }),
  };
}

function mergeFields(one: ContactFields, next: ContactFields): ContactFields {
  const merged: { first_name?: string; last_name?: string } = {};
  const first = lastFilled(one.first_name, next.first_name);
  const second = lastFilled(one.last_name, next.last_name);
  if (first !== undefined) {
    merged.first_name = first;
  }
  if (second !== undefined) {
    merged.last_name = second;
  }
  const attributes = mergeValues(one.attributes, next.attributes);
  const topics = mergeValues(one.topics, next.topics);
  return { ...merged, ...(attributes && { attributes }), ...(topics && { topics }) };
}

type Values = Readonly<Record<string, string>> | undefined;

function mergeValues(one: Values, next: Values): Values {
  if (one === undefined || next === undefined) {
    return one ?? next;
  }
  const merged: Record<string, string> = { ...one };
  for (const [key, value] of Object.entries(next)) {
    if (value !== '' || !Object.hasOwn(merged, key)) {
      merged[key] = value;
    }
  }
  return merged;
}

function lastFilled(one: string | undefined, next: string | undefined): string | undefined {
  return next === undefined || next === '' ? (one ?? next) : next;
}
