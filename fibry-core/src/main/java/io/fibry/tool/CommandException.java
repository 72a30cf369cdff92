package io.fibry.tool;

/** Ends the command. The message states the problem and its solution. */
@SuppressWarnings("serial")
final class CommandException extends Exception {

    private final ExitStatus status;

    CommandException(ExitStatus status, String message) {
        super(message);
        this.status = status;
    }

    ExitStatus status() {
        return status;
    }
}
