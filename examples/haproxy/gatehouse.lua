-- Asks Gatehouse who is calling; answers in its words whoever may not go on.
local GATEHOUSE = 'http://127.0.0.1:8080'

local function refuse(txn, status, headers, body)
  local reply = txn:reply { status = status, body = body }
  for name, values in pairs(headers) do
    reply:add_header(name, type(values) == 'table' and values[0] or values)
  end
  txn:done(reply)
end

core.register_action('gatehouse', { 'http-req' }, function(txn)
  local roles = txn:get_var('txn.roles')
  local authorization = txn.http:req_get_headers()['authorization']
  local asked = core.httpclient():get {
    url = GATEHOUSE .. '/ping/auth' .. (roles and '?' .. roles or ''),
    headers = { authorization = authorization and { authorization[0] } or nil },
    timeout = 5000,
  }
  local headers = asked.headers or {}
  local function first(name)
    return headers[name] and headers[name][0]
  end
  if asked.status == 200 then
    txn:set_var('txn.role', first('x-auth-role'))
    if first('x-auth-account') then txn:set_var('txn.account', first('x-auth-account')) end
    if first('x-auth-session') then txn:set_var('txn.session', first('x-auth-session')) end
  elseif asked.status == 401 or asked.status == 403 then
    refuse(txn, asked.status, {
      ['content-type'] = 'application/problem+json',
      ['cache-control'] = 'no-store',
      ['www-authenticate'] = first('www-authenticate'),
      ['x-auth-error'] = first('x-auth-error'),
    }, asked.body)
  else
    refuse(txn, 503, { ['content-type'] = 'application/problem+json', ['retry-after'] = '1' },
      '{"title":"Service unavailable","status":503,"code":"unavailable"}')
  end
end)
