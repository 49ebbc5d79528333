" Models of liaison: comments, and continued lines.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=#\ %s comments=:# expandtab shiftwidth=2
setlocal makeprg=liaison\ check\ % errorformat=%f:%l:%c:\ %t%*[a-z]\ %m
let b:undo_ftplugin = "setlocal commentstring< comments< expandtab< shiftwidth< makeprg< errorformat<"
