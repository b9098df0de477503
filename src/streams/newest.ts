/** Puts what an answer or a fact brings into a list. */

/** A change of the list `name`: a newer item replaces the one with the same number `no`, and one that is not there yet leads the list. */
export function withNewest<Name extends string, Item extends { version: number }>(name: Name, item: Item, no: keyof Item) {
  return <Value extends Record<Name, readonly Item[]>>(value: Value): Value => {
    const items: readonly Item[] = value[name];
    const known = items.find((one) => one[no] === item[no]);
    if (known && known.version >= item.version) return value;
    return { ...value, [name]: known ? items.map((one) => (one === known ? item : one)) : [item, ...items] };
  };
}
