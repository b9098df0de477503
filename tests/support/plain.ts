/** Contract types without brands, so that tests write numbers and texts as they are. */

type Loose<Value> = Value extends number ? number : Value extends string ? string : Value;
export type Plain<Value> = { [Key in keyof Value]: Loose<Value[Key]> };
