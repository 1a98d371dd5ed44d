import { createCollisionCollector, type PersonCollision } from '../mapping/collisions.ts';
import type { ContactFields } from '../record/contact-fields.ts';
import { differInTopics, mergeTopics } from '../record/topic-fields.ts';
import type { ParsedRow, StagedPayload } from './staging.ts';

/**
 * Merges the fields of one person's rows. For each field the last value that isn't blank wins. A topic is sent only if
 * no row refuses it (C7).
 */
export interface FieldMerge {
  add(row: ParsedRow): void;
  /** Takes only the refused topics of a row that is not written. The other fields of such a row don't count. */
  addRefusals(row: ParsedRow): void;
  result(): MergedFields;
}

interface MergedFields {
  readonly fields: ContactFields;
  readonly collisions: PersonCollision[];
  /** True if a row chooses a topic that another row refuses. */
  readonly differInTopics: boolean;
}

export function createFieldMerge(): FieldMerge {
  const collisions = createCollisionCollector();
  let fields: ContactFields = {};
  let lastPayload: StagedPayload | undefined;
  let differ = false;
  const merge = (later: ContactFields) => {
    differ ||= differInTopics(fields, later);
    fields = mergeFields(fields, later);
  };
  const addRefusals = ({ payload: { fields: later } }: ParsedRow) => {
    later.refusedTopics && merge({ refusedTopics: later.refusedTopics });
  };
  return {
    addRefusals,
    add(row) {
      const { payload } = row;
      if (payload.witness === true || payload.problem) {
        addRefusals(row);
        return;
      }
      // Rows with the same payload object have the same fields, so merging them again changes nothing.
      if (payload !== lastPayload) {
        merge(payload.fields);
      }
      lastPayload = payload;
      collisions.add(row);
    },
    result: () => ({ fields, collisions: collisions.found(), differInTopics: differ }),
  };
}

function mergeFields(earlier: ContactFields, later: ContactFields): ContactFields {
  const merged: { first_name?: string; last_name?: string } = {};
  const first = lastFilled(earlier.first_name, later.first_name);
  const second = lastFilled(earlier.last_name, later.last_name);
  if (first !== undefined) {
    merged.first_name = first;
  }
  if (second !== undefined) {
    merged.last_name = second;
  }
  const attributes = mergeValues(earlier.attributes, later.attributes);
  return { ...merged, ...(attributes && { attributes }), ...mergeTopics(earlier, later) };
}

type Values = Readonly<Record<string, string>> | undefined;

function mergeValues(earlier: Values, later: Values): Values {
  if (earlier === undefined || later === undefined) {
    return earlier ?? later;
  }
  const merged: Record<string, string> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    if (value !== '' || !Object.hasOwn(merged, key)) {
      merged[key] = value;
    }
  }
  return merged;
}

function lastFilled(earlier: string | undefined, later: string | undefined): string | undefined {
  return later === undefined || later === '' ? (earlier ?? later) : later;
}
