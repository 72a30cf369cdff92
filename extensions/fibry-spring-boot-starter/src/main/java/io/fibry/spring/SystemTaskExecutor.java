package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.LogText;
import java.util.List;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskRejectedException;

/**
 * Runs each task on a virtual thread of an actor system. Unlike a plain thread, the system's close waits for the task,
 * dumps show it, it runs in the context of its sender, and its exceptions are logged.
 */
final class SystemTaskExecutor implements AsyncTaskExecutor {

    private final ActorSystem system;
    private final List<TaskDecorator> decorators;

    SystemTaskExecutor(ActorSystem system, List<TaskDecorator> decorators) {
        this.system = system;
        this.decorators = decorators;
    }

    @Override
    public void execute(Runnable task) {
        Runnable decorated = task;
        for (TaskDecorator decorator : decorators) {
            decorated = decorator.decorate(decorated);
        }
        try {
            system.actor().strategy(ThreadStrategy.virtual()).label("task").runOnce(decorated::run);
        } catch (IllegalStateException closed) {
            throw new TaskRejectedException(
                    "The actor system " + LogText.plain(system.name()) + " is closed: it runs no more tasks", closed);
        }
    }
}
