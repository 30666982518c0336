/** A style sheet whose class names are its own: esbuild makes them one of a kind. */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

declare module '*.css';
