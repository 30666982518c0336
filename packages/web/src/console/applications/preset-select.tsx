import { Select } from '../../ui/form/select.tsx';
import { useWords } from '../text.ts';
import { presetIn, PRESETS, productOf, type Preset } from './presets.ts';

/** Chooses the kind of application. */
export function PresetSelect({ preset, onChange }: { preset: Preset; onChange: (preset: Preset) => void }) {
  const words = useWords();
  return (
    <Select
      name="Preset"
      label={words('applications.preset')}
      defaultValue={preset}
      options={PRESETS.map((value) => ({
        value,
        words: productOf(value)?.name ?? words('applications.preset.custom'),
      }))}
      onChange={(value) => onChange(presetIn(value))}
    />
  );
}
