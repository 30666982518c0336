import { Field } from '../../ui/fields.tsx';

interface ListFieldProps {
  name: string;
  label: string;
  hint: string;
  values?: readonly string[];
  /** Between the values; `listIn` reads both. */
  separator?: ', ' | ' ';
  required?: boolean;
}

/** A field for several values. */
export function ListField({ values = [], separator = ', ', ...field }: ListFieldProps) {
  return <Field {...field} autocomplete="off" spellcheck={false} defaultValue={values.join(separator)} />;
}
