import type { TableShape, Vendor } from '../import/types.ts';
import { generic } from './generic.ts';
import { mailchimp } from './mailchimp.ts';

/** Every platform svc knows; where two are equally sure, the earlier one is taken. */
export const VENDORS: readonly Vendor[] = [mailchimp, generic];

/** The platform with this id. */
export function vendorById(id: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.id === id);
}

/** The platform that is surest the table is its own; `generic` where none is. */
export function recogniseVendor(shape: TableShape): Vendor {
  let best = generic;
  let sure = 0;
  for (const vendor of VENDORS) {
    const score = vendor.recognise(shape);
    if (score > sure) {
      best = vendor;
      sure = score;
    }
  }
  return best;
}
