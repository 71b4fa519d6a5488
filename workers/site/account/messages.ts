/** Refusals that pages and JSON routes share. One sentence each, without the final stop. */
export const KEY_NAME_INVALID =
  'El nombre de la clave tiene que tener entre 1 y 60 caracteres, en una sola línea'
export const KEY_LIMIT_REACHED =
  'Ya tenés 5 claves activas o más; revocá alguna hasta que queden menos de 5 y vas a poder crear otra'
export const KEY_CHANGED = 'La clave cambió mientras tanto; mirá cómo está ahora y volvé a intentar'
export const EMAIL_MISMATCH = 'El correo no es el de esta cuenta; no se borró nada'
export const FIELDS_MISSING = 'Faltan los datos del formulario'
