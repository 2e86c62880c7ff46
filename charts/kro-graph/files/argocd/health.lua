-- The health of a Graph (kro.run/v1alpha1) for Argo CD: resource.customizations.health.kro.run_Graph in the ConfigMap argocd-cm.
-- It uses no library of Lua, so that resource.customizations.useOpenLibs is not needed.
local status = obj.status or {}
local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end

local function holds(type)
  return conditions[type] ~= nil and conditions[type].status == "True"
end

-- Why it is not ready, as the condition that decides says it: a line for each mistake or failing node.
local function reason(otherwise)
  local ready = conditions.Ready
  if ready ~= nil and ready.status ~= "True" and ready.message ~= nil and ready.message ~= "" then
    return ready.message
  end
  return otherwise
end

-- Argo CD 3.6 and later show deletionMessage; earlier ones show "Pending deletion" whatever is said here.
if obj.metadata.deletionTimestamp ~= nil then
  local message = reason("deleting what this Graph has applied")
  if holds("Stalled") then
    return { status = "Degraded", message = message, deletionMessage = message }
  end
  return { status = "Progressing", message = message, deletionMessage = message }
end

if status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "the controller has not seen this generation yet" }
end
if holds("Ready") then
  return { status = "Healthy", message = "everything is applied and ready" }
end
if holds("Stalled") then
  return { status = "Degraded", message = reason("only a person can help") }
end
if conditions.Ready ~= nil and conditions.Ready.reason == "Suspended" then
  return { status = "Suspended", message = reason("suspended by the annotation kro.run/reconcile") }
end
return { status = "Progressing", message = reason("the controller is at work") }
