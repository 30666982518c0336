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
  inputFor,
  type Me,
  type OfObject,
  refresh,
  useConsole,
  useQuery,
} from '../api/call-api.ts';
import { type Before, type TextKey, words } from '../text.ts';
import styles from '../ui/dialog.module.css';
import { Dialog, type OnceShown, SecretDialog, useDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { All, FactsCard, Loaded, ProblemBox, ScreenPage } from '../ui/screen-page.tsx';
import type { Fact } from '../ui/values.tsx';
import { bodyOf, type BodyOf, Fields, formerOf, type FormField, textIn } from './fields.tsx';

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
  lead?: Said<R>;
  /** Below the lead, what is no text or does not always apply. */
  more?: (row: R) => ComponentChildren;
  /** The values in its texts besides `{name}`, and `{email}` of an object that has one. */
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

/** An action as screens and lists offer it. */
export interface Act<R> extends Pick<OwnAct<R, unknown, []>, 'label' | 'if' | 'button' | 'kind'> {
  /** Its dialog, or the button of an action without one. */
  Part: (props: { row: R; name: string; onClose: () => void }) => ComponentChildren;
}

/** Calls an operation for the object that an action is on. */
export function calls<K extends OfObject>(operation: K) {
  return (callApi: CallApi, { Id: id }: { Id: string }) => callApi(operation, inputFor<K>(id));
}

/** Calls it with what was typed. */
export function sends<K extends OfObject>(operation: K) {
  return (callApi: CallApi, { Id: id }: { Id: string }, body: NonNullable<Input<K>['body']>) =>
    callApi(operation, { ...inputFor<K>(id), body });
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

/** Defines an action that creates an object: the filled button of a list. */
export function creates<A, const F extends readonly FormField<undefined>[] = []>(
  act: OwnAct<undefined, A, F>,
): Act<undefined> {
  return actsOn<undefined>()({ button: 'create', kind: 'primary', ...act });
}

type PartProps<R, A, F extends readonly FormField<R>[]> = Parameters<Act<R>['Part']>[0] & {
  act: OwnAct<R, A, F>;
};

interface ActsProps<R> {
  acts: readonly Act<R>[];
  row: R;
  name?: string;
  menu?: string;
  labelled?: boolean;
}

/** The buttons of the actions that an object allows, and the menu with the others. `name`: the object's, in the texts. */
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
        .map((act, place) =>
          act.button === 'at once' ? (
            // A button has nothing to close.
            <act.Part key={place} row={row} name={name} onClose={() => undefined} />
          ) : (
            <Button
              key={place}
              kind={act.kind}
              icon={act.button === 'create' && <Icon name="plus" />}
              onClick={() => show(act)}
            >
              {words(of(act.label, row))}
            </Button>
          ),
        )}
      {inMenu.length > 0 && (
        <Menu label={menu ?? words('acts.menu')} labelled={labelled}>
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

/** A menu in a row of a table, with the actions on what `about` says, or on the row. `named`: what names the row. */
export function menuOf<T, N extends string, R extends Record<N, string> = T & Record<N, string>>(
  acts: readonly Act<T>[],
  named: N,
  about: (row: R) => T = (row) => row as unknown as T, // without `about`, R is a T
): Fact<R> {
  const show = (row: R) => {
    const name = row[named];
    return <Acts acts={acts} row={about(row)} name={name} menu={words('acts.of', { name })} />;
  };
  return ['acts.menu', show, 'pinned'];
}

/** A quiet button for one action, offered or not: beside what it is about, or in its row of a table. */
export function ActButton<R>({ act: { label, Part }, row }: { act: Act<R>; row: R }) {
  return <Acts acts={[{ label, Part, button: 'button' }]} row={row} />;
}

function of<R, V extends string | undefined>(said: V | ((row: R) => V), row: R): V {
  return typeof said === 'function' ? said(row) : said;
}

function useAct<R, A, F extends readonly FormField<R>[]>({ act, row, name, onClose }: PartProps<R, A, F>) {
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const values = { name, email: textIn(row, 'Email'), ...act.values?.(row) };
  const key = of(act.label, row);
  const label = words(key, values);
  const textOf = (part: 'title' | 'lead' | 'submit' | 'done', own?: Said<R>): string | undefined => {
    const text = pageData.Messages[of(own, row) ?? `${key}.${part}`];
    return text === undefined ? undefined : fill(text, values);
  };
  const lead = textOf('lead', act.lead);
  const fields = (act.fields ?? []) as F; // none: an action without fields
  const { done, undo } = act;
  const bodyFrom = (typed: FieldValues) => bodyOf(fields, typed, row, act.isChange);
  const run = (typed: FieldValues = {}) => act.run(callApi, row, bodyFrom(typed));
  const end = async (answer: A, typed: FieldValues = {}): Promise<void> => {
    const said = typeof done === 'function' ? done(row, bodyFrom(typed), answer) : textOf('done', done);
    const inverse =
      undo === 'fields'
        ? () => act.run(callApi, row, formerOf(fields, typed, row))
        : undo && (() => undo(callApi, row));
    if (said) toast(said, inverse && (() => inverse().finally(() => void refresh())));
    onClose();
    if (act.next) route(act.next(answer));
    await refresh();
  };
  return {
    lead: (
      <>
        {lead && <p>{lead}</p>}
        {act.more?.(row)}
      </>
    ),
    label,
    title: textOf('title', act.title) ?? label,
    submit: textOf('submit') ?? label,
    run,
    end,
    perform: async (): Promise<void> => {
      const result = await run();
      setProblem(result.ok ? undefined : result.problem);
      if (result.ok) await end(result.value);
      else if (act.button === 'at once') await refresh();
    },
    fault: problem && <ProblemBox problem={problem} />,
  };
}

function ConfirmDialog<R, A, F extends readonly FormField<R>[]>(props: PartProps<R, A, F>) {
  const { act, row, onClose } = props;
  const { lead, label, title, perform, fault } = useAct(props);
  const [word, setWord] = useState('');
  const typed = act.typed?.(row);
  const isReady = typed === undefined || word.trim() === typed;
  return (
    <Dialog title={title} onClose={onClose}>
      {fault}
      {lead}
      {typed !== undefined && (
        <label class={styles['typed']}>
          <span>{words('confirm.type', { word: typed })}</span>
          <input value={word} autocomplete="off" onInput={(event) => setWord(event.currentTarget.value)} />
        </label>
      )}
      <Actions cancel={onClose}>
        <Button kind={act.kind ?? 'primary'} disabled={!isReady} onClick={perform}>
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
        <Fields of={act.fields ?? []} row={row} />
      </Form>
    </Dialog>
  );
}

function DirectButton<R, A, F extends readonly FormField<R>[]>(props: PartProps<R, A, F>) {
  const { label, perform, fault } = useAct(props);
  return (
    <>
      {fault}
      <Button kind={props.act.kind} onClick={perform}>
        {label}
      </Button>
    </>
  );
}

interface ObjectScreen<K extends OfObject> {
  /** Gets the object by the `id` in the screen's path. */
  operation: K;
  everyMs?: number;
  /** With `.one` its kind, with `.facts` the title of its facts; with `.all`, if there is that, a link to all of its kind. */
  texts: Before<'one'> & Before<'facts'>;
  /** By default, its `Name`. */
  title?: (row: Answer<K>) => string;
  state?: (row: Answer<K>) => ComponentChildren;
  /** Above the facts. */
  notice?: (row: Answer<K>) => ComponentChildren;
  facts: (row: Answer<K>) => readonly (Fact<Answer<K>> | false)[];
  acts?: readonly Act<Answer<K>>[];
  /** The label of the menu with the actions that are no buttons: by default “Actions”. */
  menu?: TextKey;
  /** To the right of the title, in place of `acts`. */
  actions?: (row: Answer<K>) => ComponentChildren;
  wide?: boolean;
  /** Below the facts. */
  more?: (row: Answer<K>) => ComponentChildren;
  /** Below it, also while it loads: lists of what belongs to it. */
  lists?: (id: string) => ComponentChildren;
}

/** The screen of one object: its state, its facts, and what can be done with it. */
export function defineScreen<K extends OfObject>(own: ObjectScreen<K>) {
  const { operation, texts, title = (row) => textIn(row, 'Name'), acts = [], menu = 'acts.menu' } = own;
  const byActs = (row: Answer<K>) => <Acts acts={acts} row={row} name={title(row)} menu={words(menu)} />;
  const { actions = byActs } = own;
  return () => {
    const { id = '' } = useRoute().params;
    const result = useQuery(operation, inputFor<K>(id), { everyMs: own.everyMs });
    const { data } = result;
    return (
      <ScreenPage
        title={data === undefined ? words(`${texts}.one`) : title(data)}
        badge={data && own.state?.(data)}
        actions={data && actions(data)}
        wide={own.wide}
      >
        <Loaded result={result}>
          {(row) => (
            <>
              {own.notice?.(row)}
              <FactsCard title={`${texts}.facts`} facts={own.facts(row)} row={row} />
              {own.more?.(row)}
            </>
          )}
        </Loaded>
        {own.lists?.(id)}
        <All texts={texts} />
      </ScreenPage>
    );
  };
}
