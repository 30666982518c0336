import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { Explanations, Problem, Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, type FieldValues, Form } from '../../ui/form.tsx';
import { fill, pageData, type Values } from '../../ui/locale.ts';
import {
  type Answer,
  type CallApi,
  type Input,
  type Me,
  type Operation,
  refresh,
  useConsole,
  useQuery,
} from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import styles from '../ui/dialog.module.css';
import { Dialog, type OnceShown, SecretDialog, useDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Card, Facts, Loaded, ProblemBox, ScreenPage } from '../ui/screen-page.tsx';
import type { Fact } from '../ui/values.tsx';
import { bodyOf, type BodyOf, fieldsFor, formerOf, type FormField } from './fields.tsx';

/** A text of an action, which may depend on the object; `{name}` in it is the object's name. */
type Said<R> = TextKey | ((row: R) => TextKey);

/**
 * What an action on an `R` is: how it is offered, what it asks for, which call it makes, and what follows. Its other texts
 * are those below the label, where they exist: `<label>.title`, `.lead`, which explains the effect, `.submit` and `.done`.
 */
interface OwnAct<R, A, F extends readonly FormField<R>[]> {
  label: Said<R>;
  /** Whether it is offered, in the object's present state and to this administrator. */
  if?: (row: R, me: Me) => boolean;
  /** A button instead of an entry in the menu; with `at once` it acts without a dialog, and with `create` it has a plus. */
  button?: 'button' | 'at once' | 'create';
  /** `danger` if it cannot be undone. */
  kind?: 'primary' | 'danger';
  title?: Said<R>;
  /** Shown instead of a lead, if that is more than a text. */
  effect?: (row: R) => ComponentChildren;
  /** The values in its texts besides `{name}`. */
  values?: (row: R) => Values;
  /** A word that must be typed first. */
  typed?: (row: R) => string;
  fields?: F;
  /** Sends only the fields that were changed. */
  isChange?: boolean;
  explanations?: Explanations;
  run: (callApi: CallApi, row: R, body: BodyOf<F>) => Promise<Result<A>>;
  /** Says that it is done; what it says may depend on what was typed, and on the answer. */
  done?: TextKey | ((row: R, body: BodyOf<F>, answer: A) => string);
  /** Takes it back; offered beside what `done` says. `fields`: by sending what they held. */
  undo?: 'fields' | ((callApi: CallApi, row: R) => Promise<Result<unknown>>);
  /** The secret in the answer, if it has one, which is shown once. */
  secret?: (answer: A, row: R) => OnceShown | undefined;
  /** The path of the screen that follows. */
  next?: (answer: A) => string;
}

interface ActDialogProps<R> {
  row: R;
  name: string;
  onClose: () => void;
}

/** An action as screens and lists offer it. */
export interface Act<R> extends Pick<OwnAct<R, unknown, []>, 'label' | 'if' | 'button' | 'kind'> {
  /** Its dialog, or the button of an action without one. */
  Part: (props: ActDialogProps<R>) => ComponentChildren;
}

/** Returns a function that defines actions on an `R`. After each, all that is shown is asked again. */
export function actsOn<R>() {
  return <A, const F extends readonly FormField<R>[] = []>(act: OwnAct<R, A, F>): Act<R> => ({
    ...act,
    Part: (props) => {
      if (act.button === 'at once') return <DirectButton act={act} {...props} />;
      if (act.fields || act.secret) return <FormDialog act={act} {...props} />;
      return <ConfirmDialog act={act} {...props} />;
    },
  });
}

type PartProps<R, A, F extends readonly FormField<R>[]> = ActDialogProps<R> & { act: OwnAct<R, A, F> };

interface ActsProps<R> {
  acts: readonly Act<R>[];
  row: R;
  /** The object's name in the texts. */
  name?: string;
  menu?: string;
  labelled?: boolean;
}

/** The buttons of the actions that an object allows, and the menu with the others. */
export function Acts<R>({ acts, row, name = '', menu, labelled = false }: ActsProps<R>) {
  const { me } = useConsole();
  const [dialog, open] = useDialog();
  const offered = acts.filter((act) => act.if?.(row, me) ?? true);
  const show = ({ Part }: Act<R>): void => open((close) => <Part row={row} name={name} onClose={close} />);
  const inMenu = offered.filter(({ button }) => button === undefined);
  return (
    <>
      {offered
        .filter(({ button }) => button !== undefined)
        .map((act, place) => {
          if (act.button === 'at once')
            // A button has nothing to close.
            return <act.Part key={place} row={row} name={name} onClose={() => undefined} />;
          return (
            <Button
              key={place}
              kind={act.kind}
              {...(act.button === 'create' && { icon: <Icon name="plus" /> })}
              onClick={() => show(act)}
            >
              {words(of(act.label, row))}
            </Button>
          );
        })}
      {menu !== undefined && inMenu.length > 0 && (
        <Menu label={menu} labelled={labelled}>
          {inMenu.map((act, place) => (
            <MenuItem key={place} danger={act.kind === 'danger'} onClick={() => show(act)}>
              {words(of(act.label, row))}
            </MenuItem>
          ))}
        </Menu>
      )}
      {dialog}
    </>
  );
}

/** A quiet button for one action, offered or not: beside what it is about, or in its row of a table. */
export function ActButton<R>({ act, row }: { act: Act<R>; row: R }) {
  const [dialog, open] = useDialog();
  return (
    <>
      <Button onClick={() => open((close) => <act.Part row={row} name="" onClose={close} />)}>
        {words(of(act.label, row))}
      </Button>
      {dialog}
    </>
  );
}

function of<R, V extends string | undefined>(said: V | ((row: R) => V), row: R): V {
  return typeof said === 'function' ? said(row) : said;
}

function useAct<R, A, F extends readonly FormField<R>[]>({ act, row, name, onClose }: PartProps<R, A, F>) {
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const values = { name, ...act.values?.(row) };
  const label = of(act.label, row);
  const textOf = (part: 'title' | 'lead' | 'submit' | 'done', own?: Said<R>): string | undefined => {
    const text = pageData.Messages[of(own, row) ?? `${label}.${part}`];
    return text === undefined ? undefined : fill(text, values);
  };
  const lead = textOf('lead');
  const fields = (act.fields ?? []) as F; // none: an action without fields
  const { done, undo } = act;
  return {
    lead: act.effect ? act.effect(row) : lead && <p>{lead}</p>,
    label: words(label, values),
    title: textOf('title', act.title) ?? words(label, values),
    submit: textOf('submit') ?? words(label, values),
    run: (typed: FieldValues = {}) => act.run(callApi, row, bodyOf(fields, typed, row, act.isChange)),
    /** Says that it is done, and leads on. */
    end: async (answer: A, typed: FieldValues = {}): Promise<void> => {
      const said =
        typeof done === 'function'
          ? done(row, bodyOf(fields, typed, row, act.isChange), answer)
          : textOf('done', done);
      const inverse =
        undo === 'fields'
          ? () => act.run(callApi, row, formerOf(fields, typed, row))
          : undo && (() => undo(callApi, row));
      const takeBack = inverse && (() => inverse().finally(() => void refresh()));
      if (said) toast(said, takeBack);
      onClose();
      if (act.next) route(act.next(answer));
      await refresh();
    },
  };
}

function ConfirmDialog<R, A, F extends readonly FormField<R>[]>(props: PartProps<R, A, F>) {
  const { act, row, onClose } = props;
  const { lead, label, title, run, end } = useAct(props);
  const [problem, setProblem] = useState<Problem>();
  const [word, setWord] = useState('');
  const typed = act.typed?.(row);
  const isReady = typed === undefined || word.trim() === typed;
  const confirm = async (): Promise<void> => {
    const result = await run();
    if (result.ok) await end(result.value);
    else setProblem(result.problem);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {problem && <ProblemBox problem={problem} />}
      {lead}
      {typed !== undefined && (
        <label class={styles['typed']}>
          <span>{words('confirm.type', { word: typed })}</span>
          <input value={word} autocomplete="off" onInput={(event) => setWord(event.currentTarget.value)} />
        </label>
      )}
      <Actions cancel={onClose}>
        <Button kind={act.kind ?? 'primary'} disabled={!isReady} onClick={confirm}>
          {label}
        </Button>
      </Actions>
    </Dialog>
  );
}

function FormDialog<R, A, F extends readonly FormField<R>[]>(props: PartProps<R, A, F>) {
  const { act, row, onClose } = props;
  const { lead, title, submit, run, end } = useAct(props);
  const [answer, setAnswer] = useState<{ value: A }>();
  const once = answer && act.secret?.(answer.value, row);
  if (answer && once) return <SecretDialog once={once} onClose={() => void end(answer.value)} />;
  const fields = act.fields ?? [];
  return (
    <Dialog title={title} onClose={onClose}>
      {lead}
      <Form
        submit={submit}
        {...(act.kind && { kind: act.kind })}
        {...(act.explanations && { explanations: act.explanations })}
        onSubmit={async (typed) => {
          const result = await run(typed);
          if (!result.ok) return result.problem;
          if (!act.secret?.(result.value, row)) void end(result.value, typed);
          else {
            setAnswer({ value: result.value });
            await refresh();
          }
          return undefined;
        }}
      >
        {fieldsFor(fields, row).map((field) => (
          <field.Show key={field.name} initial={field.initial(row)} row={row} />
        ))}
      </Form>
    </Dialog>
  );
}

function DirectButton<R, A, F extends readonly FormField<R>[]>(props: PartProps<R, A, F>) {
  const { label, run, end } = useAct(props);
  const [problem, setProblem] = useState<Problem>();
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      <Button
        kind={props.act.kind}
        onClick={async () => {
          const result = await run();
          setProblem(result.ok ? undefined : result.problem);
          await (result.ok ? end(result.value) : refresh());
        }}
      >
        {label}
      </Button>
    </>
  );
}

interface ObjectScreen<K extends Operation> {
  /** Gets the object by the `id` in the screen's path. */
  operation: K;
  everyMs?: number;
  title: (row: Answer<K>) => string;
  /** The title until it is loaded: its kind. */
  one: TextKey;
  state?: (row: Answer<K>) => ComponentChildren;
  /** Above the facts. */
  notice?: (row: Answer<K>) => ComponentChildren;
  factsTitle: TextKey;
  facts: (row: Answer<K>) => readonly (Fact<Answer<K>> | false)[];
  acts?: readonly Act<Answer<K>>[];
  /** The label of the menu with the actions that are no buttons. */
  menu?: TextKey;
  wide?: boolean;
  /** Below the facts. */
  more?: (row: Answer<K>) => ComponentChildren;
  /** Below it, also while it loads: lists of what belongs to it. */
  lists?: (id: string) => ComponentChildren;
  /** The screen of all of them, as a link at the end. */
  all?: readonly [path: string, words: TextKey];
}

/** The screen of one object: its state, its facts, and what can be done with it. */
export function defineScreen<K extends Operation>(own: ObjectScreen<K>) {
  const { operation, everyMs, title, one, wide = false, all } = own;
  return () => {
    const { id = '' } = useRoute().params;
    // Operations that get an object have its id in their path.
    const input = { path: { id } } as unknown as Input<K>;
    const result = useQuery(operation, input, everyMs === undefined ? {} : { everyMs });
    const { data } = result;
    return (
      <ScreenPage
        title={data === undefined ? words(one) : title(data)}
        badge={data && own.state?.(data)}
        actions={
          data &&
          own.acts && (
            <Acts
              acts={own.acts}
              row={data}
              name={title(data)}
              {...(own.menu && { menu: words(own.menu) })}
            />
          )
        }
        wide={wide}
      >
        <Loaded result={result}>
          {(row) => (
            <>
              {own.notice?.(row)}
              <FactsCard title={words(own.factsTitle)} facts={own.facts(row)} row={row} />
              {own.more?.(row)}
            </>
          )}
        </Loaded>
        {own.lists?.(id)}
        {all && <All path={all[0]} label={all[1]} />}
      </ScreenPage>
    );
  };
}

/** The link at the end of a screen to that of all of its kind. */
export function All({ path, label }: { path: string; label: TextKey }) {
  return (
    <p>
      <a href={`/console/${path}`}>{words(label)}</a>
    </p>
  );
}

interface FactListProps<R> {
  facts: readonly (Fact<R> | false)[];
  row: R;
}

export function FactsCard<R>({ title, ...list }: FactListProps<R> & { title: string }) {
  return (
    <Card title={title}>
      <FactList {...list} />
    </Card>
  );
}

/** Facts about an object, in a card that has more than these. */
export function FactList<R>({ facts, row }: FactListProps<R>) {
  const shown = facts.filter((fact) => fact !== false);
  return <Facts rows={shown.map(([label, show]) => [words(label), show(row)])} />;
}
